// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** Fields of class loaders that nothing but sun.misc.Unsafe can write to. */
public class Loaders extends Kind {
  static Unsafe unsafe() throws Exception {
    Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
    unsafe.setAccessible(true);
    return (Unsafe) unsafe.get(null);
  }

  private static class Slot {
    private final Object value;

    Slot(Object value) {
      this.value = value;
    }
  }

  /** Where an object has this reference, a compressed one: reflection shows no such field. */
  static long offset(Object holder, Object value) throws Exception {
    Unsafe unsafe = unsafe();
    long place = unsafe.objectFieldOffset(Slot.class.getDeclaredField("value"));
    Slot slot = new Slot(value);
    for (long offset = 8; offset < 128; offset += 4) {
      if (unsafe.getInt(holder, offset) == unsafe.getInt(slot, place)) {
        return offset;
      }
    }
    throw new IllegalStateException("no field of " + holder + " has " + value);
  }

  private static void write(Object holder, Object value, Object other) throws Exception {
    unsafe().putObject(holder, offset(holder, value), other);
  }

  @Override
  protected void dirty() throws Exception {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    write(loader, loader.getUnnamedModule(), Object.class.getModule());
    write(loader, loader.getName(), "of a run");
    write(loader, loader.getParent(), null);
  }

  @Override
  protected void probe() {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    show("parent", () -> nameOf(loader.getParent()));
    show("name", loader::getName);
    show("module", () -> loader.getUnnamedModule() == Loaders.class.getModule());
  }
}
