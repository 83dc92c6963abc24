// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package jdk.internal.loader;

import static jdk.internal.loader.HotTubFields.field;

import java.io.File;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.HotTubReferences;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import jdk.internal.ref.PhantomCleanable;
import jdk.internal.util.StaticProperty;

/**
 * Native libraries: a run must find their static state as it is after loading, so what a run has
 * loaded is unloaded after it. Some of the JDK stay.
 *
 * <p>As at the end of a process, this runs their destructors, but not JNI_OnUnload.
 */
public final class HotTubLibraries {
  private static Map<?, ?> libraries;
  private static Map<?, ?> librariesOfPlatform;
  private static Map<?, ?> librariesOfBoot;
  private static Set<?> names;

  /**
   * The one library of the class library that no class loader has. It stays open, for every run.
   */
  private static String systemLookup;

  private static Deque<?> loading;
  private static Field handle;
  private static Method remove;
  private static Method unload;

  private HotTubLibraries() {}

  /** Paths of those that were loaded before S0. */
  private static final Set<Object> first = new HashSet<>();

  private static Set<String> staying;
  private static Set<String> loadedAnew;

  /**
   * Finds the tables of the class library; once, before S0.
   *
   * @param stayingFiles names of files: those of the JDK that stay after a run
   * @param filesLoadedAnew those of them that each run loads as if they had not stayed
   */
  public static void prepare(String[] stayingFiles, String[] filesLoadedAnew)
      throws ReflectiveOperationException, IOException {
    libraries = table(HotTubFields.ofLoader(ClassLoaders.appClassLoader(), "libraries"));
    librariesOfPlatform =
        table(HotTubFields.ofLoader(ClassLoaders.platformClassLoader(), "libraries"));
    librariesOfBoot = table(BootLoader.getNativeLibraries());
    first.addAll(librariesOfPlatform.keySet());
    first.addAll(librariesOfBoot.keySet());
    staying = Set.of(stayingFiles);
    loadedAnew = Set.of(filesLoadedAnew);
    names = (Set<?>) field(NativeLibraries.class, "loadedLibraryNames").get(null);
    File folder = new File(StaticProperty.javaHome(), "lib");
    systemLookup = new File(folder, System.mapLibraryName("syslookup")).getCanonicalPath();
    loading = (Deque<?>) field(NativeLibraries.class, "nativeLibraryContext").get(null);
    handle = field(NativeLibraries.NativeLibraryImpl.class, "handle");
    remove = method(PhantomCleanable.class, "remove");
    unload =
        method(
            NativeLibraries.class,
            "unload",
            String.class,
            boolean.class,
            boolean.class,
            long.class);
  }

  private static Map<?, ?> table(Object ofLoader) throws ReflectiveOperationException {
    return (Map<?, ?>) field(NativeLibraries.class, "libraries").get(ofLoader);
  }

  private static Method method(Class<?> holder, String name, Class<?>... parameters)
      throws ReflectiveOperationException {
    Method method = holder.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }

  /** Unloads all libraries but those that stay. No native method may lead there any more. */
  public static void unloadAll() throws ReflectiveOperationException {
    synchronized (names) { // as the class library does
      loading.clear();
      unloadThoseOfCollectableLoaders();
      for (Object library : libraries.values()) {
        unload(library);
      }
      libraries.clear();
      unloadThoseOfRun(librariesOfPlatform);
      unloadThoseOfRun(librariesOfBoot);
      names.remove(systemLookup);
    }
  }

  private static void unloadThoseOfRun(Map<?, ?> ofJdk) throws ReflectiveOperationException {
    for (Iterator<?> all = ofJdk.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<?, ?> entry = (Map.Entry<?, ?>) all.next();
      String file = new File((String) entry.getKey()).getName();
      if (first.contains(entry.getKey())) {
        continue;
      }
      if (!staying.contains(file)) {
        unload(entry.getValue());
      } else if (loadedAnew.contains(file)) {
        // It stays open, and so where it is.
        names.remove(entry.getKey());
      } else {
        continue;
      }
      all.remove();
    }
  }

  private static void unload(Object library) throws ReflectiveOperationException {
    unload(((NativeLibrary) library).name(), handle.getLong(library));
  }

  /**
   * After {@link #unloadAll}: a library that some class loader was about to enter into its table
   * when its thread ended or had no stack left. Nobody can load it any more.
   *
   * @return its path, or null
   */
  public static String halfLoaded() {
    synchronized (names) {
      for (Object name : names) {
        if (!librariesOfBoot.containsKey(name) && !librariesOfPlatform.containsKey(name)) {
          return (String) name;
        }
      }
    }
    return null;
  }

  /** A cleaner of the class library would do it when the class loader is collected. */
  private static void unloadThoseOfCollectableLoaders() throws ReflectiveOperationException {
    for (Cleaner.Cleanable cleanable : HotTubReferences.cleanables()) {
      if (HotTubReferences.actionOf(cleanable) instanceof NativeLibraries.Unloader unloader
          && (boolean) remove.invoke(cleanable)) {
        unload(unloader.name, unloader.handle);
      }
    }
  }

  private static void unload(String name, long handle) throws ReflectiveOperationException {
    names.remove(name);
    unload.invoke(null, name, false, false, handle);
  }
}
