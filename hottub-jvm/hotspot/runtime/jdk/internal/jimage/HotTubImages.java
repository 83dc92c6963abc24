// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package jdk.internal.jimage;

import static jdk.internal.loader.HotTubFields.field;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/**
 * Images of the JDK stay open, with the tables that readers have made of them. Each notes who has
 * opened it; of those, every run would leave its own.
 */
public final class HotTubImages {
  private static Field openFiles;
  private static Field openers;
  private static Field readers;
  private static Field channel;

  private HotTubImages() {}

  /** Finds the tables of the class library, without initialising them; once, before S0. */
  public static void prepare() throws ReflectiveOperationException {
    Class<?> shared =
        Class.forName("jdk.internal.jimage.ImageReader$SharedImageReader", false, null);
    openFiles = field(shared, "OPEN_FILES");
    openers = field(shared, "openers");
    readers = field(ImageReaderFactory.class, "readers");
    channel = field(BasicImageReader.class, "channel");
  }

  private static boolean isInitialised(Field field) {
    return !Unsafe.getUnsafe().shouldBeInitialized(field.getDeclaringClass());
  }

  /** After a run: only the class library's own readers stay. */
  public static void forgetOpeners() throws ReflectiveOperationException {
    if (isInitialised(openFiles)) {
      Map<?, ?> own = isInitialised(readers) ? (Map<?, ?>) readers.get(null) : Map.of();
      for (Object image : ((Map<?, ?>) openFiles.get(null)).values()) {
        ((Set<?>) openers.get(image)).retainAll(own.values());
      }
    }
  }

  /**
   * Those that are not mapped as a whole (jdk.image.map.all, jdk.image.use.jvm.map) are. It ends
   * with the run, and the image stays.
   */
  public static boolean areReadByDescriptor() throws ReflectiveOperationException {
    if (isInitialised(openFiles)) {
      for (Object image : ((Map<?, ?>) openFiles.get(null)).values()) {
        if (channel.get(image) != null) {
          return true;
        }
      }
    }
    return false;
  }
}
