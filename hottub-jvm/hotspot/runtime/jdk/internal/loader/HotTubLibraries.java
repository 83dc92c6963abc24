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
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import jdk.internal.ref.PhantomCleanable;
import jdk.internal.util.StaticProperty;

/**
 * Native libraries of applications: a run must find their static state as it is after loading, so
 * what a run has loaded is unloaded after it.
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

  /** Of the boot loader, but as those of applications. */
  private static Set<String> desktop;

  /**
   * Finds the tables of the class library; once, before S0.
   *
   * @param desktopLibraries names of files of the JDK that go with a run
   */
  public static void prepare(String[] desktopLibraries)
      throws ReflectiveOperationException, IOException {
    libraries = table(HotTubFields.ofLoader(ClassLoaders.appClassLoader(), "libraries"));
    librariesOfPlatform =
        table(HotTubFields.ofLoader(ClassLoaders.platformClassLoader(), "libraries"));
    librariesOfBoot = table(BootLoader.getNativeLibraries());
    desktop = Set.of(desktopLibraries);
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

  /** Unloads all libraries of applications. No native method may lead there any more. */
  public static void unloadAll() throws ReflectiveOperationException {
    loading.clear();
    unloadThoseOfCollectableLoaders();
    for (Object library : libraries.values()) {
      unload(library);
    }
    libraries.clear();
    for (Iterator<?> all = librariesOfBoot.values().iterator(); all.hasNext(); ) {
      Object library = all.next();
      if (desktop.contains(new File(((NativeLibrary) library).name()).getName())) {
        unload(library);
        all.remove();
      }
    }
    names.remove(systemLookup);
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
    for (Object name : names) {
      if (!librariesOfBoot.containsKey(name) && !librariesOfPlatform.containsKey(name)) {
        return (String) name;
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
