// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Repeats work that uses what it finds in static final references, which is another in each run,
 * and says what came of it, once: all repetitions have to agree.
 *
 * <p>Arguments: seconds, how often at least, and how many classes the Java compiler compiles
 * meanwhile, again and again.
 */
public final class LongRun {
  static final String NAME = System.getProperty("run");

  /** Another class in each run. */
  abstract static class Shape {
    static final Shape CURRENT = NAME.equals("a") ? new Square() : new Strip();

    final int side = NAME.length() + NAME.charAt(0);

    abstract int area();
  }

  static final class Square extends Shape {
    @Override
    int area() {
      return side * side;
    }
  }

  static final class Strip extends Shape {
    @Override
    int area() {
      return side * 3;
    }
  }

  enum Turn {
    LEFT,
    RIGHT;

    static final Turn FIRST = NAME.equals("a") ? LEFT : RIGHT;
  }

  static final class Tables {
    static final int[] NUMBERS = NAME.chars().map(c -> c * 31).toArray();
    static final List<Object> OBJECTS = List.of(NAME, new Object[] {NAME});
    static final IntUnaryOperator CHANGE = NAME.equals("a") ? i -> i + 1 : i -> i * 5;
    static final Object LOCK = new Object();
  }

  /** Numbers only: code that uses them leads to no object that a collection could miss. */
  static final class Plain {
    static int base = NAME.charAt(0);
    static int step = NAME.length();
  }

  /** Too deep to be inlined, so it has code of its own. */
  private static int plain(int depth) {
    return depth == 0 ? Plain.base : plain(depth - 1) + Plain.step;
  }

  /** First used in the middle of the run, by code that is compiled long before. */
  static final class Late {
    static final StringBuilder TEXT = new StringBuilder(NAME).append("late");
    static int uses;

    static int use() {
      return TEXT.length() + ++uses - uses;
    }
  }

  private static int work(boolean late) {
    int sum = 0;
    for (int i = 0; i < 2_000; i++) {
      synchronized (Tables.LOCK) {
        sum = sum * 31 + Shape.CURRENT.area() + Tables.NUMBERS[i % Tables.NUMBERS.length];
      }
      sum += Tables.CHANGE.applyAsInt(i) + Tables.OBJECTS.get(0).hashCode();
      switch (Turn.FIRST) {
        case LEFT -> sum ^= i;
        case RIGHT -> sum += i;
      }
      sum += plain(i % 32);
      if (late && i % 1_000 == 0) {
        sum += Late.use() - Late.TEXT.length();
      }
    }
    return sum;
  }

  /** Uses far more methods than the work. */
  private static boolean compile(int classes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < classes; i++) {
      text.append("class C%d<T> { T f; java.util.List<? super T> m(int i) {".formatted(i))
          .append(" return i > 0 ? m(i - 1) : java.util.List.of(f, f); } }\n");
    }
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///C.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreErrors) {
            return text;
          }
        };
    List<String> options = List.of("-proc:none", "-implicit:none", "-XDshould-stop.ifNoError=FLOW");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    return compiler.getTask(null, null, null, options, null, List.of(source)).call();
  }

  public static void main(String[] args) {
    long end = System.nanoTime() + (long) (Double.parseDouble(args[0]) * 1e9);
    long middle = System.nanoTime() + (end - System.nanoTime()) / 2;
    int first = work(false);
    int classes = Integer.parseInt(args[2]);
    for (int i = 0; i < Integer.parseInt(args[1]) || System.nanoTime() < end; i++) {
      int again = work(System.nanoTime() >= middle);
      if (again != first) {
        throw new AssertionError("first " + first + ", then " + again);
      }
      if (classes > 0 && i % 100 == 0 && !compile(classes)) {
        throw new AssertionError("not compiled");
      }
    }
    System.out.println(first + " " + Shape.CURRENT.getClass() + " " + Turn.FIRST);
    System.out.println(Arrays.toString(Tables.NUMBERS) + " " + Late.TEXT);
  }

  private LongRun() {}
}
