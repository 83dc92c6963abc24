// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A handle that compiled code holds, in a part of the heap in which that code has nothing else: the
 * classes that are named by the arguments have large mirrors, which lie between.
 */
public class FarHandle {
  private static class Holder {
    static final VarHandle FIELD;
    int field = 1;

    static {
      try {
        FIELD = MethodHandles.lookup().findVarHandle(Holder.class, "field", int.class);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static int read(Holder holder) {
    return (int) Holder.FIELD.get(holder);
  }

  public static void main(String[] ballast) throws Exception {
    Class.forName("FarHandle$Holder", false, FarHandle.class.getClassLoader());
    for (String name : ballast) {
      Class.forName(name);
    }
    Holder holder = new Holder();
    int sum = 0;
    for (int i = 0; i < 30_000; i++) {
      sum += read(holder);
    }
    System.gc();
    System.out.println(sum);
  }
}
