// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package jdk.internal.loader;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/** Private fields of the class library. The package is exported to nobody. */
public final class HotTubFields {
  private HotTubFields() {}

  /**
   * The field of that name, which may be read and written; its class is not initialised by this.
   *
   * @throws NoSuchFieldException if another release of the JDK has none
   */
  public static Field field(Class<?> holder, String name) throws NoSuchFieldException {
    Field field = holder.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /**
   * What a class loader has in the field of that name. Reflection shows no field of a class loader.
   *
   * @throws InternalError if another release of the JDK has none
   */
  static Object ofLoader(ClassLoader loader, String name) {
    Unsafe unsafe = Unsafe.getUnsafe();
    return unsafe.getReference(loader, unsafe.objectFieldOffset(ClassLoader.class, name));
  }
}
