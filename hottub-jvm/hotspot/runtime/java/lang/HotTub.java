// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package java.lang;

import java.io.IOException;
import java.lang.invoke.HotTubHandles;
import java.lang.ref.HotTubReferences;
import java.lang.reflect.Field;
import java.util.HotTubSalts;
import jdk.internal.jimage.HotTubImages;
import jdk.internal.loader.HotTubClassPath;
import jdk.internal.loader.HotTubFields;
import jdk.internal.loader.HotTubLibraries;
import jdk.internal.loader.HotTubLoaderValues;
import jdk.internal.loader.HotTubModuleJars;
import jdk.internal.module.HotTubModules;
import jdk.internal.reflect.ReflectionFactory;

/** The Java side of the host program, called through JNI on the main thread only. */
public final class HotTub {
  private HotTub() {}

  private static final String[] CONSTANTS = {
    "java.lang.Byte$ByteCache",
    "java.lang.Character$CharacterCache",
    "java.lang.Long$LongCache",
    "java.lang.Short$ShortCache",
    "java.util.concurrent.TimeUnit"
  };

  /**
   * Classes that are never reset and copy properties. They count as of the start of the JVM, not of
   * the first run that needs them, which may have set them itself.
   */
  private static final String[] READ_ONCE = {
    "java.lang.StackStreamFactory",
    "java.lang.reflect.Proxy$ProxyBuilder",
    "jdk.internal.jimage.BasicImageReader",
    "jdk.internal.jimage.ImageReaderFactory",
    "jdk.internal.module.SystemModuleFinders"
  };

  /** Whether reflection has read its properties, which a run may set before it first needs them. */
  private static Field reflectionIsConfigured;

  /**
   * Before S0.
   *
   * @param libraryPath LD_LIBRARY_PATH of this process, or empty
   * @param staying names of files: libraries of the JDK that stay after a run
   * @param loadedAnew those of them that each run loads as if they had not stayed
   * @return the default of java.library.path, without what LD_LIBRARY_PATH adds
   */
  public static String prepare(String libraryPath, String[] staying, String[] loadedAnew)
      throws ReflectiveOperationException, IOException {
    String path = System.getProperty("java.library.path");
    String prefix = libraryPath + ":";
    String defaultLibraryPath = path.startsWith(prefix) ? path.substring(prefix.length()) : path;
    HotTubClassPath.prepare();
    HotTubModuleJars.prepare();
    HotTubReferences.prepare();
    HotTubLibraries.prepare(staying, loadedAnew);
    HotTubFileSystems.prepare();
    HotTubModules.prepare();
    HotTubImages.prepare();
    HotTubSalts.prepare();
    HotTubJvmThreads.prepare();
    HotTubLoaderValues.prepare();
    // Constants that a run may write to (--add-opens): they belong into the snapshot.
    for (String name : CONSTANTS) {
      Class.forName(name);
    }
    for (String name : READ_ONCE) {
      Class.forName(name);
    }
    // It numbers the classes that stack traces show: in every run from 1.
    Class.forName("jdk.internal.reflect.MethodAccessorGenerator");
    // Counters of the class library; those that come later are of a management agent.
    Class.forName("jdk.internal.perf.PerfCounter$CoreCounters");
    reflectionIsConfigured = HotTubFields.field(ReflectionFactory.class, "initted");
    reflectionIsConfigured.setBoolean(null, true); // from now on that needs no configuration itself
    return defaultLibraryPath;
  }

  /**
   * Before main: the properties, the working directory and the class path of the run.
   *
   * @param directory the working directory of the process
   * @param classPath absolute entries
   */
  public static void begin(String directory, String[] classPath)
      throws ReflectiveOperationException, IOException {
    HotTubSalts.draw();
    // Made anew of what the VM knows, which is the run's by now, in the order of a new JVM.
    System.setProperties(null);
    // It copies properties while a JVM starts: a main that sets them comes too late.
    Class.forName("jdk.internal.util.StaticProperty");
    HotTubFileSystems.use(System.getProperty("user.dir"), directory);
    HotTubClassPath.use(classPath);
    reflectionIsConfigured.setBoolean(null, false);
  }

  /** What the JVM's own threads still do for the run, and what the run holds by references. */
  public static void endReferences() throws ReflectiveOperationException, InterruptedException {
    HotTubJvmThreads.restore();
    HotTubReferences.releaseAll();
  }

  /**
   * After the last thread of the run has ended, before its statics are cleared.
   *
   * @return the descriptors of jars that stay open
   */
  public static int[] release() throws ReflectiveOperationException, IOException {
    HotTubClassPath.forget();
    HotTubModuleJars.close();
    HotTubImages.forgetOpeners();
    HotTubLoaderValues.forgetValues();
    HotTubLoaderValues.forgetNames();
    HotTubHandles.forgetAccessors();
    return HotTubClassPath.descriptors();
  }

  /**
   * After {@link #release}: what the application class loader has loaded since the last call.
   *
   * @return null if there is nothing; else, of what is not from jars that stay open, pairs: the
   *     name of a class, and the file it comes from, or "" if it comes from none
   */
  public static String[] newClasses() {
    return HotTubClassPath.newClasses();
  }

  /** That file is not one of the class path: the class may not stay. */
  public static void suspect(String className) {
    HotTubClassPath.suspect(className);
  }

  /** After {@link #release}: jars that stay open use these numbers, in the same order. */
  public static void renumber(int[] numbers) throws ReflectiveOperationException, IOException {
    HotTubClassPath.renumber(numbers);
  }

  /**
   * After the collection.
   *
   * @return what cannot be taken back, or null
   */
  public static String settle() {
    try {
      String stranger = stranger();
      if (stranger != null) {
        return "the class path has changed under the run: " + stranger;
      }
      HotTubReferences.processAll(HotTubClassPath.descriptors());
      String ended = HotTubJvmThreads.ended();
      if (ended != null) {
        return "a thread of the JVM was ended: " + ended;
      }
      if (HotTubImages.areReadByDescriptor()) {
        return "an image of modules is read by a descriptor of the run";
      }
      return HotTubModules.change();
    } catch (Throwable e) {
      return "reference processing failed: " + causeOf(e);
    }
  }

  /**
   * Native libraries, whose destructors may still do something outside. Also after {@link #settle},
   * which may have loaded some.
   *
   * @return what cannot be taken back, or null
   */
  public static String unload() throws ReflectiveOperationException {
    HotTubLibraries.unloadAll();
    String library = HotTubLibraries.halfLoaded();
    return library == null ? null : "half done: " + library;
  }

  /** A suspect that the class loader still has: those of the run's own making are gone. */
  private static String stranger() {
    String found = null;
    for (String name : HotTubClassPath.suspects()) {
      if (found == null && ClassLoader.getSystemClassLoader().findLoadedClass(name) != null) {
        found = name;
      }
    }
    return found;
  }

  /** In one line: what was thrown, and where. */
  private static String causeOf(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable e = thrown; e != null; e = e.getCause()) {
      text.append(e == thrown ? "" : ", caused by ").append(e);
      StackTraceElement[] frames = e.getStackTrace();
      for (int i = 0; i < frames.length && i < 3; i++) {
        text.append(" at ").append(frames[i]);
      }
    }
    return text.toString();
  }
}
