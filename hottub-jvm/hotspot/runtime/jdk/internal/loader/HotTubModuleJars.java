// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package jdk.internal.loader;

import static jdk.internal.loader.HotTubFields.field;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Iterator;
import java.util.Map;
import java.util.jar.JarFile;

/**
 * Jars of the module path. The class loaders of the JVM keep those open that a run has read classes
 * or resources of; their files end with the run.
 */
public final class HotTubModuleJars {
  private static Field readers;
  private static Class<?> jarReader;
  private static Field jar;

  private HotTubModuleJars() {}

  /** Finds where loaders keep them; once, before S0. */
  public static void prepare() throws ReflectiveOperationException {
    readers = field(BuiltinClassLoader.class, "moduleToReader");
    jarReader = Class.forName("jdk.internal.module.ModuleReferences$JarModuleReader", false, null);
    jar = field(jarReader, "jf");
  }

  /**
   * After a run: the next one opens them again. Not by closing the reader, which waits for the lock
   * that a thread of the run may have had when it ended.
   */
  public static void close() throws ReflectiveOperationException, IOException {
    closeOf(ClassLoaders.bootLoader());
    closeOf(ClassLoaders.platformClassLoader());
    closeOf(ClassLoaders.appClassLoader());
  }

  private static void closeOf(ClassLoader loader) throws ReflectiveOperationException, IOException {
    Iterator<?> all = ((Map<?, ?>) readers.get(loader)).values().iterator();
    while (all.hasNext()) {
      Object reader = all.next();
      if (jarReader.isInstance(reader)) {
        all.remove();
        ((JarFile) jar.get(reader)).close();
      }
    }
  }
}
