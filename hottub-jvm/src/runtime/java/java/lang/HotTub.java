// Copyright 2026 The HotTub Authors
// SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

package java.lang;

import java.io.IOException;
import java.lang.ref.HotTubReferences;
import java.util.Properties;
import jdk.internal.loader.HotTubClassPath;

/** The Java side of the host program, called through JNI on the main thread only. */
public final class HotTub {
  private HotTub() {}

  /** Before S0. */
  public static void prepare() throws ReflectiveOperationException {
    HotTubClassPath.prepare();
    HotTubReferences.prepare();
    HotTubFileSystems.prepare();
  }

  /**
   * Before main: the properties, the working directory and the class path of the run.
   *
   * @param directory the working directory of the process; the property user.dir, unless the run
   *     sets it
   * @param libraryPath the folders that LD_LIBRARY_PATH puts before the default of
   *     java.library.path, or empty
   * @param properties name=value; the last of a name counts
   * @param classPath absolute entries
   */
  public static void begin(
      String directory, String libraryPath, String[] properties, String[] classPath)
      throws ReflectiveOperationException {
    Properties all = System.getProperties();
    all.setProperty("user.dir", directory);
    if (!libraryPath.isEmpty()) {
      all.setProperty("java.library.path", libraryPath + ":" + all.get("java.library.path"));
    }
    for (String property : properties) {
      int equals = property.indexOf('=');
      all.setProperty(
          equals < 0 ? property : property.substring(0, equals),
          equals < 0 ? "" : property.substring(equals + 1));
    }
    HotTubFileSystems.use(all.getProperty("user.dir"), directory);
    HotTubClassPath.use(classPath);
  }

  /**
   * After the last thread of the run has ended, before its statics are cleared.
   *
   * @return the descriptors of jars that stay open
   */
  public static int[] release() throws ReflectiveOperationException, IOException {
    HotTubReferences.releaseAll();
    HotTubClassPath.forget();
    return HotTubClassPath.descriptors();
  }

  /** After the collection. */
  public static void settle() throws InterruptedException {
    HotTubReferences.processAll();
  }
}
