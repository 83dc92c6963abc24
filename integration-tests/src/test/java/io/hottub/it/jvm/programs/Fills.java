// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Holds as many megabytes of heap, or copies of a class, as the second argument says. */
public class Fills {
  /** The class. */
  public static class Copied {
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

  public static void main(String[] args) throws Exception {
    List<Object> held = new ArrayList<>();
    byte[] bytes;
    try (InputStream in = Fills.class.getResourceAsStream("Fills$Copied.class")) {
      bytes = in.readAllBytes();
    }
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      if (args[0].equals("classes")) {
        held.add(new Loader().define(bytes).getDeclaredConstructor().newInstance());
      } else {
        held.add(new byte[1 << 20]);
      }
    }
    System.out.println(held.size());
  }
}
