// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.ref.Cleaner;
import java.lang.reflect.Field;

/** Leaves what a thread leaves that ends while it registers with the class library's cleaner. */
public class Unregistered {
  private static final Object KEPT = new Object();

  public static void main(String[] args) throws Exception {
    Class<?> factory = Class.forName("jdk.internal.ref.CleanerFactory");
    Cleaner cleaner = (Cleaner) factory.getMethod("cleaner").invoke(null);
    withoutAction(cleaner.register(KEPT, () -> {}));
    withoutAction(cleaner.register(new Object(), () -> {}));
    System.out.println("left");
  }

  private static void withoutAction(Cleaner.Cleanable cleanable) throws Exception {
    Field action = cleanable.getClass().getDeclaredField("action");
    action.setAccessible(true);
    action.set(cleanable, null);
  }
}
