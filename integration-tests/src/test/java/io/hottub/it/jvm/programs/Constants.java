// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/**
 * Static finals that a compiler holds for constant, in classes that are initialized again:
 * arguments say what they are in this run.
 */
public class Constants {
  static int repeats;
  static String field;
  static int number;

  /** Each class has its own way to be wrong. */
  static class Handles {
    static final VarHandle FIELD;
    static final MethodHandle ADD;
    static final MethodHandle SUBTRACT;
    static final MethodHandle GET;
    static final MethodHandle BOUND;
    static final MethodHandle CONVERTED;
    static final MethodHandle COMBINED;
    static final MethodHandle OF_RUN;
    static final VarHandle EXACT;

    static {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        FIELD = lookup.findVarHandle(Constants.class, field, int.class);
        ADD =
            lookup.findStatic(
                Target.class, "add", MethodType.methodType(int.class, int.class, int.class));
        SUBTRACT =
            lookup.findStatic(
                Behind.class, "subtract", MethodType.methodType(int.class, int.class, int.class));
        GET = lookup.findStaticGetter(Target.class, "value", int.class);
        BOUND = MethodHandles.insertArguments(ADD, 0, number);
        CONVERTED = ADD.asType(MethodType.methodType(long.class, byte.class, int.class));
        COMBINED =
            MethodHandles.dropArguments(MethodHandles.filterReturnValue(ADD, BOUND), 1, long.class);
        OF_RUN =
            MethodHandles.arrayElementGetter(int[].class)
                .bindTo(new int[] {number, field.length()});
        EXACT = FIELD.withInvokeExactBehavior();
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  static class Target {
    static int value = number * 3;

    static {
      System.out.println("Target is initialized");
    }

    static int add(int a, int b) {
      return a + b + value;
    }
  }

  /** Initialized by nothing but a handle. */
  static class Behind {
    static int value = number + 5;

    static {
      System.out.println("Behind is initialized");
    }

    static int subtract(int a, int b) {
      return a - b - value;
    }
  }

  static class Numbers {
    static final int INT = number;
    static final long LONG = number * 1_000_000_007L;
    static final double DOUBLE = number == 0 ? -0.0 : number / 3.0;
    static final float FLOAT = number / 7f;
    static final boolean BOOLEAN = number > 1;
    static final char CHAR = (char) ('a' + number);
    static final short SHORT = (short) -number;
    static final byte BYTE = (byte) (number * 50);
  }

  /** Uses its own constants before they have a value. */
  static class Early {
    static final String BEFORE = use();
    static final VarHandle HANDLE = Handles.FIELD;
    static final int NUMBER = number + 1;
    static final String AFTER = use();

    static String use() {
      return (HANDLE == null) + " " + NUMBER;
    }

    String useOfInstance() {
      return (HANDLE == null) + " " + NUMBER;
    }
  }

  int first;
  int second;

  static long handles(Constants c, int i) throws Throwable {
    int old = (int) Handles.FIELD.getAndAdd(c, 1);
    int before = (int) Handles.EXACT.getAndAdd(c, 2);
    return old
        + before
        + (int) Handles.ADD.invokeExact(i, 1)
        + (int) Handles.BOUND.invokeExact(i)
        + (long) Handles.CONVERTED.invokeExact((byte) i, 1)
        + (int) Handles.COMBINED.invokeExact(i, 1L, 1)
        + (int) Handles.OF_RUN.invokeExact(i & 1);
  }

  static int subtract(int i) throws Throwable {
    return (int) Handles.SUBTRACT.invokeExact(i, 1);
  }

  static int getter() throws Throwable {
    return (int) Handles.GET.invokeExact();
  }

  static double numbers() {
    return Numbers.INT
        + Numbers.LONG
        + Numbers.FLOAT
        + (Numbers.BOOLEAN ? 1000 : 0)
        + Numbers.CHAR
        + Numbers.SHORT
        + Numbers.BYTE;
  }

  static String sign() {
    return Double.toString(Numbers.DOUBLE);
  }

  public static void main(String[] args) throws Throwable {
    repeats = Integer.parseInt(args[0]);
    field = args[1];
    number = Integer.parseInt(args[2]);
    System.out.println(Early.BEFORE + ", " + Early.AFTER);
    Constants c = new Constants();
    long sum = 0;
    double total = 0;
    int length = 0;
    for (int i = 0; i < repeats; i++) {
      total += numbers();
      length += sign().length() + Early.use().length() + new Early().useOfInstance().length();
    }
    System.out.println(total + " " + sign() + " " + length);
    System.out.println("getter: " + getter());
    for (int i = 0; i < repeats; i++) {
      sum += subtract(i);
    }
    System.out.println(sum);
    for (int i = 0; i < repeats; i++) {
      sum += handles(c, i) + getter();
    }
    System.out.println(sum + " " + c.first + " " + c.second + " " + Early.use());
  }
}
