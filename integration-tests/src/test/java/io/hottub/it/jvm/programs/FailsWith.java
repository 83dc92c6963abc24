// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** A class whose initialiser fails with what the argument says, asked for again and again. */
public class FailsWith {
  static String message;

  static class Failing {
    static int value = fail();

    private static int fail() {
      throw new IllegalStateException(message);
    }
  }

  public static void main(String[] args) {
    message = args[0];
    for (int i = 0; i < 3; i++) {
      try {
        System.out.println(Failing.value);
      } catch (ExceptionInInitializerError e) {
        System.out.println(e.getCause());
      } catch (NoClassDefFoundError e) {
        System.out.println(e.getMessage() + ": " + e.getCause());
      }
    }
  }
}
