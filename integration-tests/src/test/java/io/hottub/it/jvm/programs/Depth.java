// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** How many calls the stack of main has room for. */
public class Depth {
  private static int depth;

  @SuppressWarnings("InfiniteRecursion")
  private static void call() {
    depth++;
    call();
  }

  public static void main(String[] args) {
    try {
      call();
    } catch (StackOverflowError e) {
      System.out.print(depth);
    }
  }
}
