// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package jdk.internal.loader;

import static jdk.internal.loader.HotTubFields.field;

import java.io.File;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.zip.ZipFile;
import jdk.internal.access.JavaIOFileDescriptorAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.util.jar.JarIndex;
import sun.net.util.URLUtil;
import sun.net.www.ParseUtil;

/**
 * Points the application class loader to the class path of a run. The fingerprint guarantees that
 * entry i of the run has the same classes as entry i of the JVM, so what was read of jars stays,
 * wherever they lie (the host program looks that their files are the right ones); folders (whose
 * files may differ: configuration, work folders of containers) become those of the run.
 */
public final class HotTubClassPath {
  private static URLClassPath classPath;
  private static ArrayList<URL> path;
  private static ArrayDeque<URL> unopened;
  private static ArrayList<Object> loaders;
  private static HashMap<String, Object> loadersByUrl;
  private static Method getLoader;
  private static Method getClassPath;

  private static Field jarOfLoader;
  private static Field indexOfLoader;
  private static Field resourceOfZip;
  private static Field sourceOfResource;
  private static Field fileOfSource;

  private static ArrayList<Class<?>> classes; // all of the loader
  private static int knownClasses;
  private static ArrayList<String> suspects = new ArrayList<>();

  private static URL[] lastPath; // of the run before
  private static final HashMap<String, OpenJar> openJars = new HashMap<>();

  /** A loader of URLClassPath, and the entries that its manifest names. */
  private record OpenJar(Object loader, URL[] classPath) {}

  private HotTubClassPath() {}

  /** Finds the parts of the loader; once, before S0. */
  @SuppressWarnings("unchecked")
  public static void prepare() throws ReflectiveOperationException {
    ClassLoader loader = ClassLoaders.appClassLoader();
    classPath = (URLClassPath) field(BuiltinClassLoader.class, "ucp").get(loader);
    if (classPath == null) {
      return; // started with -m and no class path
    }
    classes = (ArrayList<Class<?>>) HotTubFields.ofLoader(loader, "classes");
    path = (ArrayList<URL>) field(URLClassPath.class, "path").get(classPath);
    unopened = (ArrayDeque<URL>) field(URLClassPath.class, "unopenedUrls").get(classPath);
    loaders = (ArrayList<Object>) field(URLClassPath.class, "loaders").get(classPath);
    loadersByUrl = (HashMap<String, Object>) field(URLClassPath.class, "lmap").get(classPath);
    Class<?> loaderClass = Class.forName("jdk.internal.loader.URLClassPath$Loader");
    getLoader = URLClassPath.class.getDeclaredMethod("getLoader", URL.class);
    getLoader.setAccessible(true);
    getClassPath = loaderClass.getDeclaredMethod("getClassPath");
    getClassPath.setAccessible(true);
    lastPath = path.toArray(new URL[0]);
    HotTubPlaces.prepare();
    Class<?> jarLoader = Class.forName("jdk.internal.loader.URLClassPath$JarLoader");
    jarOfLoader = field(jarLoader, "jar");
    indexOfLoader = field(jarLoader, "index");
    resourceOfZip = field(ZipFile.class, "res");
    sourceOfResource = field(Class.forName("java.util.zip.ZipFile$CleanableResource"), "zsrc");
    fileOfSource = field(Class.forName("java.util.zip.ZipFile$Source"), "zfile");
    Class.forName("jdk.internal.loader.HotTubClassPath$OpenJar"); // linking takes a hash code
  }

  /**
   * Makes {@code entries} the class path. Loaders of jars that earlier runs opened are put back in
   * order, up to the first entry that no run has opened; from there on the path is opened lazily as
   * on a stock JVM.
   *
   * @param entries absolute; as many as at the start of the JVM
   */
  public static void use(String[] entries) throws ReflectiveOperationException, IOException {
    if (classPath == null) {
      return;
    }
    if (entries.length != lastPath.length) {
      throw new IllegalArgumentException(
          "class path of " + entries.length + " entries, started with " + lastPath.length);
    }
    URL[] places = new URL[entries.length];
    for (int i = 0; i < entries.length; i++) {
      places[i] = toUrl(new File(entries[i]));
    }
    synchronized (classPath) {
      move(places);
      path.clear();
      for (URL place : places) {
        path.add(place);
      }
      loaders.clear();
      loadersByUrl.clear();
      unopened.clear();
      for (URL url : path) {
        unopened.addLast(url); // addAll would link a call site, which takes hash codes
      }
      if (entries.length > 0 && new File(entries[0]).isFile()) {
        takeHashCodesOfZipFile();
      }
      while (!unopened.isEmpty() && open(unopened.getFirst())) {}
    }
  }

  private static boolean isFolder(URL url) {
    return url.getPath().endsWith("/");
  }

  /** Entries that lie elsewhere than in the run before, and what their manifests name. */
  private static void move(URL[] places) throws ReflectiveOperationException, IOException {
    HashMap<String, URL> moved = new HashMap<>();
    ArrayDeque<String> todo = new ArrayDeque<>();
    for (int i = 0; i < places.length; i++) {
      note(lastPath[i], places[i], moved, todo);
    }
    lastPath = places;
    if (moved.isEmpty()) {
      return;
    }
    HashMap<String, OpenJar> jars = new HashMap<>();
    while (!todo.isEmpty()) {
      String from = todo.removeFirst();
      OpenJar known = openJars.remove(from);
      if (known == null) {
        continue;
      }
      URL place = moved.get(from), before = HotTubPlaces.of(known.loader);
      HotTubPlaces.moveJar(known.loader, place);
      URL[] named = (URL[]) getClassPath.invoke(known.loader);
      for (int i = 0; named != null && i < named.length; i++) {
        note(known.classPath[i], named[i], moved, todo);
      }
      JarIndex index = (JarIndex) indexOfLoader.get(known.loader);
      for (String name : index == null ? new String[0] : index.getJarFiles()) {
        note(new URL(before, name), new URL(place, name), moved, todo);
      }
      jars.put(URLUtil.urlNoFragString(place), new OpenJar(known.loader, named));
    }
    openJars.putAll(jars);
    HotTubPlaces.moveClasses(moved);
  }

  private static void note(
      URL from, URL place, HashMap<String, URL> moved, ArrayDeque<String> todo) {
    String key = URLUtil.urlNoFragString(from);
    if (!key.equals(URLUtil.urlNoFragString(place)) && moved.putIfAbsent(key, place) == null) {
      todo.addLast(key);
    }
  }

  /**
   * A stock JVM that opens its first jar initializes ZipFile, which needs a file system, which
   * makes a set of three constants. Here, that was before S0.
   */
  private static void takeHashCodesOfZipFile() {
    for (int i = 0; i < 3; i++) {
      System.identityHashCode(new Object());
    }
  }

  /** As URLClassPath.getLoader(int) does it. */
  private static boolean open(URL url) throws ReflectiveOperationException {
    String key = URLUtil.urlNoFragString(url);
    if (loadersByUrl.containsKey(key)) {
      unopened.removeFirst();
      return true;
    }
    OpenJar known = openJars.get(key);
    if (isFolder(url)) {
      known = new OpenJar(getLoader.invoke(classPath, url), null);
    }
    if (known == null) {
      return false;
    }
    unopened.removeFirst();
    for (int i = known.classPath == null ? -1 : known.classPath.length - 1; i >= 0; i--) {
      unopened.addFirst(known.classPath[i]);
    }
    noteIndex(url, known.loader);
    loaders.add(known.loader);
    loadersByUrl.put(key, known.loader);
    return true;
  }

  /** The jars that an index names have no place of their own in the path: a loader is null. */
  private static void noteIndex(URL url, Object loader) throws ReflectiveOperationException {
    JarIndex index =
        indexOfLoader.getDeclaringClass().isInstance(loader)
            ? (JarIndex) indexOfLoader.get(loader)
            : null;
    if (index == null) {
      return;
    }
    for (String name : index.getJarFiles()) {
      try {
        loadersByUrl.putIfAbsent(URLUtil.urlNoFragString(new URL(url, name)), null);
      } catch (MalformedURLException e) {
        continue; // as URLClassPath does
      }
    }
  }

  /** As URLClassPath does it: without links and "..". */
  private static URL toUrl(File entry) {
    try {
      return ParseUtil.fileToEncodedURL(entry.getCanonicalFile());
    } catch (IOException e) {
      throw new IllegalArgumentException(entry.getPath(), e);
    }
  }

  /** After a run: remembers the jars that it opened and forgets everything else of it. */
  public static void forget() throws ReflectiveOperationException {
    if (classPath == null) {
      return;
    }
    synchronized (classPath) {
      for (var entry : loadersByUrl.entrySet()) {
        Object loader = entry.getValue();
        OpenJar known = openJars.get(entry.getKey());
        if (indexOfLoader.getDeclaringClass().isInstance(loader)
            && (known == null || known.loader != loader)) {
          openJars.put(entry.getKey(), new OpenJar(loader, (URL[]) getClassPath.invoke(loader)));
        }
      }
      path.clear();
      unopened.clear();
      loaders.clear();
      loadersByUrl.clear();
    }
  }

  /**
   * See {@code HotTub.newClasses}. What comes from jars of the class path is told by their
   * descriptors.
   */
  public static String[] newClasses() {
    if (classPath == null || knownClasses == classes.size()) {
      return null;
    }
    ArrayList<String> found = new ArrayList<>();
    synchronized (classPath) {
      for (int i = knownClasses; i < classes.size(); i++) {
        Class<?> loaded = classes.get(i);
        String file = Proxy.isProxyClass(loaded) ? null : fileOf(loaded);
        if (file != null) {
          found.add(loaded.getName());
          found.add(file);
        }
      }
      knownClasses = classes.size();
    }
    String[] pairs = new String[found.size()];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = found.get(i); // a run may have changed what the class of arrays says of itself
    }
    return pairs;
  }

  /** See {@code HotTub.suspect}. */
  public static void suspect(String className) {
    suspects.add(className);
  }

  /** Those of the run; from now on there are none. */
  public static List<String> suspects() {
    List<String> all = suspects;
    suspects = new ArrayList<>();
    return all;
  }

  /** Null if it needs no look: of the JDK, or of a jar that is open; "" if there is none. */
  private static String fileOf(Class<?> loaded) {
    ProtectionDomain domain = SharedSecrets.getJavaLangAccess().protectionDomain(loaded);
    CodeSource source = domain == null ? null : domain.getCodeSource();
    URL place = source == null ? null : source.getLocation();
    if (place == null) {
      return "";
    }
    if (place.getProtocol().equals("jrt") || openJars.containsKey(URLUtil.urlNoFragString(place))) {
      return null;
    }
    if (!place.getProtocol().equals("file")) {
      return "";
    }
    String path = ParseUtil.decode(place.getPath());
    return isFolder(place) ? path + loaded.getName().replace('.', '/') + ".class" : path;
  }

  /** The descriptors of all jars that the loader has opened in any run. */
  public static int[] descriptors() throws ReflectiveOperationException, IOException {
    List<FileDescriptor> open = openFiles();
    int[] numbers = new int[open.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = SharedSecrets.getJavaIOFileDescriptorAccess().get(open.get(i));
    }
    return numbers;
  }

  /**
   * Lets the jars use other numbers for their files.
   *
   * @param numbers in the order of {@link #descriptors}
   */
  public static void renumber(int[] numbers) throws ReflectiveOperationException, IOException {
    JavaIOFileDescriptorAccess access = SharedSecrets.getJavaIOFileDescriptorAccess();
    List<FileDescriptor> open = openFiles();
    for (int i = 0; i < numbers.length; i++) {
      FileDescriptor file = open.get(i);
      if (access.get(file) != numbers[i]) {
        access.unregisterCleanup(file); // it knows the number
        access.set(file, numbers[i]);
        access.registerCleanup(file);
      }
    }
  }

  private static List<FileDescriptor> openFiles() throws ReflectiveOperationException, IOException {
    List<FileDescriptor> files = new ArrayList<>();
    for (OpenJar known : openJars.values()) {
      Object jar = jarOfLoader.get(known.loader);
      if (jar != null) {
        Object source = sourceOfResource.get(resourceOfZip.get(jar));
        files.add(((RandomAccessFile) fileOfSource.get(source)).getFD());
      }
    }
    return files;
  }
}
