// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.atomic.LongAdder;

/** With an argument: lets the initialiser of a class of the JDK fail, for want of stack. */
public class Spoiled {
  private static boolean isDecided;

  /** Tries it at the end of the stack, then one frame further up, until it is decided. */
  @SuppressWarnings("InfiniteRecursion")
  private static void descend() {
    try {
      descend();
    } catch (StackOverflowError e) {
      if (!isDecided) {
        try {
          new LongAdder();
          isDecided = true;
        } catch (StackOverflowError f) {
          throw e;
        } catch (NoClassDefFoundError f) {
          isDecided = true;
        }
      }
    }
  }

  public static void main(String[] args) {
    if (args.length > 0) {
      descend();
    }
    try {
      new LongAdder().increment();
      System.out.println("initialised");
    } catch (NoClassDefFoundError e) {
      System.out.println("spoiled");
    }
  }
}
