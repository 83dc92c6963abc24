// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Has the VM throw as often as the argument says; shows where the first one comes from. */
public class Traces {
  private static int length(String text) {
    return text.length();
  }

  private static int third(int[] of) {
    return of[2];
  }

  private static Throwable thrownAt(int i) {
    try {
      return new Error("none" + (i % 2 == 0 ? length(null) : third(new int[2])));
    } catch (NullPointerException | ArrayIndexOutOfBoundsException e) {
      return e;
    }
  }

  public static void main(String[] args) {
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      Throwable thrown = thrownAt(i);
      if (i < 2) {
        thrown.printStackTrace(System.out);
      }
    }
  }
}
