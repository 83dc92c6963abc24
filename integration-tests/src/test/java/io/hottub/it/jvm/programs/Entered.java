// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.List;

/**
 * Static methods that are entered by method handles of a constant pool, whose calls look at no
 * class: what the initialisers that run on entry do is no business of these methods, which would
 * catch everything. GenerateEntered writes who enters them.
 *
 * <p>Arguments: how often; which initialiser does what ("fail", "exit").
 */
public class Entered {
  private static String whose = "";
  private static String what = "";

  private static void initialise(String name) {
    System.out.println("initialised: " + name);
    System.gc(); // the arguments of the call move
    if (whose.equals(name) && what.equals("fail")) {
      throw new IllegalStateException(name);
    }
    if (whose.equals(name) && what.equals("exit")) {
      System.exit(3);
    }
  }

  private static String show(Class<?> holder, Object a, long b, Object c) {
    return a + " " + b + " " + c + (Thread.holdsLock(holder) ? " locked" : "");
  }

  public static class Open {
    static {
      initialise("Open");
    }

    public static String call(Object a, long b, Object c) {
      try {
        return show(Open.class, a, b, c);
      } catch (Throwable e) {
        return "WRONG: " + e;
      }
    }
  }

  public static class Locked {
    static {
      initialise("Locked");
    }

    public static synchronized String call(Object a, long b, Object c) {
      try {
        return show(Locked.class, a, b, c);
      } catch (Throwable e) {
        return "WRONG: " + e;
      }
    }
  }

  public static class Native {
    static {
      initialise("Native");
    }

    public static synchronized native String call(Object a, long b, Object c);
  }

  interface Way {
    String call(Object a, long b, Object c) throws Throwable;
  }

  private static void enter(Class<?> holder, Way way, int count) {
    String last = "";
    for (int i = 0; i < count; i++) {
      String result;
      try {
        result = way.call("first" + i % 3, 1L << 40, List.of(i % 5));
      } catch (Throwable e) {
        result = e + ", cause " + e.getCause();
      }
      result += Thread.holdsLock(holder) ? " WRONG: still locked" : "";
      if (i < 3 || i == count - 1 && !result.equals(last)) {
        System.out.println(result);
      }
      last = result;
    }
  }

  public static void main(String[] args) {
    if (args.length > 1) {
      whose = args[1];
      what = args[2];
    }
    int count = Integer.parseInt(args[0]);
    enter(Open.class, EnteredBy::open, count);
    enter(Locked.class, EnteredBy::locked, count);
    enter(Native.class, EnteredBy::inNative, Math.min(count, 300));
  }
}
