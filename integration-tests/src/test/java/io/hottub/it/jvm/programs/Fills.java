// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds as many megabytes of heap, also by a static field of a hidden class, or copies of a class,
 * also hidden ones, as the second argument says.
 */
public class Fills {
  /** The class. */
  public static class Copied {
    public static Object held;
    private final long[] some = new long[3];

    public int length() {
      return some.length;
    }
  }

  private static class Loader extends ClassLoader {
    Class<?> define(byte[] bytes) {
      return defineClass(null, bytes, 0, bytes.length);
    }
  }

  /** One that its class loader keeps. */
  private static Class<?> defineHidden(byte[] bytes) throws Exception {
    return MethodHandles.lookup()
        .defineHiddenClass(bytes, true, Lookup.ClassOption.STRONG)
        .lookupClass();
  }

  public static void main(String[] args) throws Exception {
    List<Object> held = new ArrayList<>();
    byte[] bytes;
    try (InputStream in = Fills.class.getResourceAsStream("Fills$Copied.class")) {
      bytes = in.readAllBytes();
    }
    if (args[0].equals("statics")) {
      defineHidden(bytes).getField("held").set(null, held);
    }
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      if (args[0].equals("classes")) {
        held.add(new Loader().define(bytes).getDeclaredConstructor().newInstance());
      } else if (args[0].equals("hidden")) {
        held.add(defineHidden(bytes));
      } else {
        held.add(new byte[1 << 20]);
      }
    }
    System.out.println(held.size());
  }
}
