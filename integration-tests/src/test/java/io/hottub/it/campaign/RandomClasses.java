// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Parts of random programs that are about classes: their initialisation, constants, kinds. */
final class RandomClasses {
  static final List<Consumer<RandomCode>> KINDS =
      List.of(
          RandomClasses::cycle,
          RandomClasses::cycle,
          RandomClasses::interfaces,
          RandomClasses::constants,
          RandomClasses::failing,
          RandomClasses::records,
          RandomClasses::enums,
          RandomClasses::hierarchy,
          RandomClasses::loaders);

  private RandomClasses() {}

  /** Classes whose initialisers need each other. */
  private static void cycle(RandomCode code) {
    int count = 2 + code.below(5);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      order.add(i);
      int other = code.below(count);
      int third = code.below(count);
      code.declare(
          """
          static class $C%1$d%7$s {
            static final int CONSTANT = %2$d;
            static %3$s int first = Out.VARIANT + %2$d;
            static { Out.say("begins", "C%1$d", first, $C%4$d.last); }
            static %3$s int second = $C%4$d.first * 31 + $C%5$d.second + CONSTANT;
            static int last = second ^ %6$d;
            static { Out.say("ends", "C%1$d", first, second, last); }
            int own = last++;
            static int call(int x) { return x + last + $C%5$d.CONSTANT; }
          }""",
          i,
          code.below(1000),
          code.maybe() ? "final" : "",
          other,
          third,
          code.number(),
          i > 0 && code.maybe() ? " extends $C" + (i - 1) : "");
    }
    Collections.shuffle(order, new Random(code.below(1000)));
    code.then("int sum = 0;");
    for (int i : order) {
      code.then(
          code.one(
              "Out.say(\"field\", $C%1$d.last);",
              "Out.say(\"constant\", $C%1$d.CONSTANT);",
              "Out.say(\"array\", new $C%1$d[2].length);",
              "Out.say(\"new\", new $C%1$d().own);",
              "if (Out.VARIANT %% 2 == 0) Out.say(\"sometimes\", $C%1$d.call(1));",
              "Out.say(Class.forName(Main.class.getName() + (char) 36 + \"$C%1$d\"));",
              "Out.say($C%1$d.class.getDeclaredField(\"last\").getInt(null));"),
          i);
      code.then(
          "for (int i = 0; i < %d; i++) sum += $C%d.call(i) ^ $C%d.last;",
          code.repeats(), i, order.get(code.below(count)));
      code.then("Out.say(\"sum\", sum);");
    }
  }

  /** Those with default methods are initialised with a class, others when a field needs it. */
  private static void interfaces(RandomCode code) {
    int count = 2 + code.below(3);
    for (int i = 0; i < count; i++) {
      code.declare(
          """
          interface $I%1$d%2$s {
            int FIELD%1$d = $note("I%1$d", %3$d);
            %4$s
          }""",
          i,
          i > 0 ? " extends $I" + code.below(i) : "",
          code.number(),
          code.maybe() ? "default int get" + i + "() { return FIELD" + i + " + 1; }" : "");
    }
    code.declare("static int $note(String who, int n) { Out.say(who, n); return n; }");
    code.declare("static class $Base { static int base = $note(\"Base\", 1); }");
    code.declare(
        "static class $Impl extends $Base implements $I%d { static int own = $note(\"Impl\", 2); }",
        count - 1);
    code.then("Out.say(\"first\", $I%d.class.isInterface());", code.below(count));
    if (code.maybe()) {
      code.then("Out.say(\"inherited\", $Impl.base);");
    }
    code.then("if (Out.VARIANT %% 2 == 1) Out.say($I%1$d.FIELD%1$d);", code.below(count));
    code.then("Out.say(new $Impl() != null, $Impl.own);");
    code.then("Out.say($Impl.FIELD%d);", count - 1);
  }

  /** Values of static finals in compiled code, others in every run. */
  private static void constants(RandomCode code) {
    code.declare(
        """
        static class $K {
          static final int A = Out.VARIANT * %d + 3;
          static final Integer B = A %% 2 == 0 ? null : Integer.valueOf(A);
          static final int[] C = {A, A + 1, A * A};
          static final String D = "v" + Out.VARIANT;
          static final boolean E = (A & %d) == 0;
          static final long F = ((long) A << 33) + %d;
          static final Object G = E ? (Object) "text" : new int[A & 7];
          static final double H = A / 7.0;
          static int notFinal = A;
          final int own = A + 1;
        }""",
        code.below(50), 1 << code.below(6), code.below(1000));
    code.declare(
        """
        static int $use(int x) {
          if ($K.E) x += %s;
          if ($K.B != null) x ^= $K.B;
          if ($K.G instanceof String) x++;
          x += $K.C[x & 1] + $K.D.length() + (int) ($K.F >>> 33) + (int) ($K.H * 100);
          return x + ($K.notFinal += 3);
        }""",
        code.expression(3, List.of("x", "$K.A", "$K.C[2]")));
    code.then("int x = 0;");
    code.then("for (int i = 0; i < %d; i++) x = $use(x ^ i);", code.repeats());
    code.then("Out.say(x, $K.A, $K.B, $K.D, $K.E, $K.F, $K.H, new $K().own);");
  }

  /** An initialiser that fails, in some runs only, and who asks for its class afterwards. */
  private static void failing(RandomCode code) {
    String failure =
        code.one(
            "throw new IllegalStateException(\"in it \" + Out.VARIANT)",
            "throw new $Failure(Out.VARIANT)",
            "Object o = \"text\"; Integer i = (Integer) o",
            "int[] a = new int[2]; a[Out.VARIANT + 2] = 1",
            "$Other.value = 1 / (Out.VARIANT - Out.VARIANT)",
            "String s = null; s.length()");
    code.declare("static class $Failure extends Error {");
    code.declare("  $Failure(int n) { super(\"failure \" + n, new Exception(\"cause\")); } }");
    code.declare("static class $Other { static int value = Out.VARIANT; }");
    code.declare(
        "static class $Fails { static int value = 5; static { if (Out.VARIANT %% 3 != %d) { %s; }"
            + " value = 6; } static int get() { return value; } }",
        code.below(3), failure);
    code.declare("static class $Below extends $Fails { static int own = 7; }");
    for (int i = 0; i < 2 + code.below(2); i++) {
      code.then(
          "try { Out.say(%s); } catch (Throwable t) { Out.thrown(t); }",
          code.one("$Fails.value", "$Fails.get()", "new $Below() != null", "$Below.own"));
    }
    code.then("Out.say($Other.value);");
  }

  private static void records(RandomCode code) {
    String type = code.one("int", "long", "short", "byte", "char");
    code.declare(
        """
        sealed interface $Shape permits $Point, $Line, $Named {}
        record $Point(int x, %1$s y) implements $Shape {
          static int made;
          $Point { if (x == %2$d) throw new IllegalArgumentException("x " + x); made++; }
          int sum() { return x + (int) y; }
        }
        record $Line($Point from, $Point to, int... more) implements $Shape {}
        record $Named<T extends Comparable<T>>(String name, T value, double d) implements $Shape {
          @Override public String toString() { return "<" + name + value + ">"; }
        }""",
        type, code.below(20));
    code.declare(
        """
        static int $size($Shape shape) {
          if (shape instanceof $Point p && p.x() > %d) return p.sum();
          if (shape instanceof $Line l) return l.from().sum() - l.to().sum();
          return shape instanceof $Named<?> n ? n.name().length() : -1;
        }""",
        code.below(20));
    code.then("List<$Shape> shapes = new ArrayList<>();");
    code.then("for (int i = 0; i < 25; i++) {");
    code.then(
        "  try { shapes.add(new $Point(i + Out.VARIANT %% 2, (%s) (i * %d))); }",
        type, code.below(500));
    code.then("  catch (IllegalArgumentException e) { Out.say(e.getMessage()); }");
    code.then("}");
    code.then("shapes.add(new $Line(($Point) shapes.get(0), ($Point) shapes.get(1), 1, 2));");
    code.then("shapes.add(new $Named<>(\"n\", %s, 1.5));", code.one("3", "\"s\"", "'c'", "4L"));
    code.then("int sum = 0;");
    code.then("for (int i = 0; i < %d; i++)", code.repeats());
    code.then("  sum = sum * 31 + $size(shapes.get(i %% shapes.size()));");
    code.then("Out.say(sum, $Point.made, shapes.get(3), shapes.get(3).hashCode());");
    code.then("Out.say(shapes.get(shapes.size() - 1), shapes.get(2).equals(shapes.get(2)));");
    code.then("Out.say(Arrays.toString($Point.class.getRecordComponents()));");
    code.then("Out.say(new TreeSet<>(List.of(1, 2)).equals(Set.of(2, 1)));");
  }

  private static void enums(RandomCode code) {
    int count = 3 + code.below(5);
    StringBuilder constants = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String body = " { int apply(int x) { return x * " + code.below(9) + " + n; } }";
      constants.append(i == 0 ? "" : ", ").append("E").append(i);
      constants.append("(").append(code.number()).append(")").append(code.maybe() ? body : "");
    }
    code.declare(
        """
        enum $E {
          %s;
          static final List<String> SEEN = new ArrayList<>();
          static { Out.say("enum", values().length); }
          final int n;
          $E(int n) { this.n = n + Out.VARIANT; }
          int apply(int x) { return x - n; }
        }""",
        constants);
    code.then("int x = 1;");
    code.then("for (int i = 0; i < %d; i++) {", code.repeats());
    code.then("  $E e = $E.values()[i %% %d];", count);
    code.then("  switch (e) { case E0: x++; break; case E2: x ^= 7; break; default: x--; }");
    code.then("  x = e.apply(x);");
    code.then("}");
    code.then("Map<$E, Integer> map = new EnumMap<>($E.class);");
    code.then("for ($E e : $E.values()) if (map.put(e, e.n) == null) $E.SEEN.add(e.name());");
    code.then("Out.say(x, map, $E.SEEN, EnumSet.complementOf(EnumSet.of($E.E1)));");
    code.then("try { $E.valueOf(\"NONE\"); } catch (IllegalArgumentException e) {");
    code.then("  Out.say(e.getMessage().replace(Main.class.getPackageName(), \"\")); }");
    code.then("Out.say($E.E0.getClass() == $E.class, $E.valueOf(\"E1\").compareTo($E.E2));");
  }

  /** Compiled code knows which classes there are; later there are more. */
  private static void hierarchy(RandomCode code) {
    int count = 2 + code.below(4);
    code.declare("static abstract class $H { abstract int get(int x); int twice(int x) {");
    code.declare("  return get(get(x)); } }");
    for (int i = 0; i < count; i++) {
      code.declare(
          "static class $H%d extends $H { static { Out.say(\"loads\", %d); } int get(int x) {"
              + " return %s; } }",
          i, i, code.expression(2, List.of("x", "Out.VARIANT")));
    }
    code.declare("static $H $make(int i) { switch (i) {");
    for (int i = 1; i < count; i++) {
      code.declare("  case %d: return new $H%d();", i, i);
    }
    code.declare("  default: return new $H0(); } }");
    code.declare("static int $loop($H of, int x) { for (int i = 0; i < %d; i++)", code.repeats());
    code.declare("  x += of.twice(x ^ i); return x; }");
    code.then("int x = 0;");
    for (int i = 0; i < count; i++) {
      code.then("x = $loop($make((%d + Out.VARIANT) %% %d), x); Out.say(x);", code.below(9), count);
    }
  }

  /** One class in two class loaders. */
  private static void loaders(RandomCode code) {
    code.declare(
        """
public static class $Twice implements IntSupplier {
  static int count = %d + Out.VARIANT;
  static { Out.say($Twice.class.getClassLoader() == Main.class.getClassLoader()); }
  public int getAsInt() { return count += %d; }
}
static class $Loader extends ClassLoader {
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.equals($Twice.class.getName())) return super.loadClass(name, resolve);
    Class<?> known = findLoadedClass(name);
    if (known != null) return known;
    String file = name.replace('.', '/') + ".class";
    try (var in = Main.class.getClassLoader().getResourceAsStream(file)) {
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (java.io.IOException e) { throw new ClassNotFoundException(name, e); }
  }
}""",
        code.below(100), code.below(9));
    code.then("for (int i = 0; i < %d; i++) {", 1 + code.below(3));
    code.then("  Class<?> other = new $Loader().loadClass($Twice.class.getName());");
    code.then("  IntSupplier s = (IntSupplier) other.getDeclaredConstructor().newInstance();");
    code.then("  int sum = 0;");
    code.then("  for (int j = 0; j < %d; j++) sum += s.getAsInt();", code.repeats());
    code.then("  Out.say(sum, other == $Twice.class, new $Twice().getAsInt());");
    code.then("  try { Out.say(($Twice) (Object) s); } catch (ClassCastException e) {");
    code.then("    Out.say(e.getMessage().replaceAll(\"@[0-9a-f]+\", \"@\")); }");
    code.then("}");
  }
}
