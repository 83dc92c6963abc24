// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.util.List;
import java.util.function.Consumer;

/** Parts of random programs that are about calls: lambdas, handles, reflection, loops. */
final class RandomCalls {
  static final List<Consumer<RandomCode>> KINDS =
      List.of(
          RandomCalls::lambdas,
          RandomCalls::handles,
          RandomCalls::variables,
          RandomCalls::callSites,
          RandomCalls::reflection,
          RandomCalls::proxies,
          RandomCalls::strings,
          RandomCalls::loops,
          RandomCalls::collections);

  private RandomCalls() {}

  private static void lambdas(RandomCode code) {
    code.declare(
        """
        static class $L {
          static int calls = Out.VARIANT;
          static final IntUnaryOperator ADD = x -> x + %1$d + calls++;
          static final Function<Integer, Integer> BOXED = $L::twice;
          static final Supplier<$L> MAKE = $L::new;
          final int own = %2$d;
          final IntBinaryOperator capturing = (a, b) -> a * own - b;
          static Integer twice(Integer i) { return i * 2; }
          int bound(int x) { return x ^ own; }
          static IntUnaryOperator of(int n) { return n %% 2 == 0 ? x -> x : x -> x - n; }
        }""",
        code.number(), code.number());
    code.then("int x = 0; $L l = $L.MAKE.get(); IntUnaryOperator bound = l::bound;");
    code.then("Set<Object> same = Collections.newSetFromMap(new IdentityHashMap<>());");
    code.then("for (int i = 0; i < %d; i++) {", code.repeats());
    for (int i = 0; i < 1 + code.below(4); i++) {
      code.then(
          code.one(
              "  x = $L.ADD.applyAsInt(x);",
              "  x ^= $L.BOXED.apply(i);",
              "  x = l.capturing.applyAsInt(x, i);",
              "  x = bound.andThen($L.ADD).applyAsInt(x);",
              "  x += $L.of(i & 3).applyAsInt(i);",
              "  IntUnaryOperator none%1$d = y -> y + 1; same.add(none%1$d);"
                  + " x = none%1$d.applyAsInt(x);"),
          i);
    }
    code.then("}");
    code.then("Out.say(x, $L.calls, same.size(), $L.MAKE.get() == l);");
  }

  private static void handles(RandomCode code) {
    code.declare(
        """
static class $M {
  static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  static final MethodHandle STATIC, BOUND, MADE, CHOSEN;
  static int state = Out.VARIANT;
  final int own;
  $M(int own) { this.own = own; }
  static int f(int a, int b) { return %1$s; }
  static int g(int a, int b) { state++; return a - b; }
  int h(int a) { return a ^ own; }
  static boolean test(int a, int b) { return (a + state) %% %2$d == 0; }
  static int caught(ArithmeticException e, int a, int b) { return b; }
  static int fails(int a, int b) { return a %% (b & 3); }
  static {
    try {
      MethodType two = MethodType.methodType(int.class, int.class, int.class);
      MethodHandle f = LOOKUP.findStatic($M.class, "f", two);
      MethodHandle g = LOOKUP.findStatic($M.class, "g", two);
      STATIC = Out.VARIANT %% 2 == 0 ? f : g;
      BOUND = LOOKUP.bind(new $M(%3$d), "h", MethodType.methodType(int.class, int.class));
      MADE = LOOKUP.findConstructor($M.class, MethodType.methodType(void.class, int.class));
      MethodHandle test = LOOKUP.findStatic($M.class, "test",
          two.changeReturnType(boolean.class));
      MethodHandle fails = LOOKUP.findStatic($M.class, "fails", two);
      MethodHandle caught = LOOKUP.findStatic($M.class, "caught",
          two.insertParameterTypes(0, ArithmeticException.class));
      CHOSEN = MethodHandles.guardWithTest(test, f,
          MethodHandles.catchException(fails, ArithmeticException.class, caught));
    } catch (ReflectiveOperationException e) { throw new AssertionError(e); }
  }
}""",
        code.expression(3, List.of("a", "b", "state")), 1 + code.below(7), code.number());
    code.then("int x = 1;");
    code.then("for (int i = 0; i < %d; i++) {", code.repeats());
    for (int i = 0; i < 2 + code.below(3); i++) {
      code.then(
          code.one(
              "  x = (int) $M.STATIC.invokeExact(x, i);",
              "  x += (int) $M.BOUND.invokeExact(i);",
              "  x ^= (($M) $M.MADE.invoke(i)).own;",
              "  x = (int) $M.CHOSEN.invokeExact(x, i);",
              "  x += (int) (long) (Long) (Object) (long) (int) $M.STATIC.invoke(i, (short) x);"));
    }
    code.then("}");
    code.then("Out.say(x, $M.state, $M.STATIC, $M.CHOSEN.type());");
    code.then("MethodHandle inserted = MethodHandles.insertArguments($M.STATIC, 0, %d);", 5);
    code.then("MethodHandle other = MethodHandles.filterReturnValue(inserted, $M.BOUND);");
    code.then("Out.say(other.invoke(3), other.invokeWithArguments(4), other.type());");
    code.then("try { Object o = $M.STATIC.invokeExact(1, 2); }");
    code.then("catch (WrongMethodTypeException e) { Out.say(e.getMessage()); }");
    code.then("try { other.invoke((Object) \"s\"); }");
    code.then("catch (ClassCastException e) { Out.say(e.getMessage()); }");
  }

  private static void variables(RandomCode code) {
    String type = code.one("int", "long");
    code.declare(
        """
        static class $V {
          static volatile %1$s shared = Out.VARIANT;
          %1$s own = %2$d;
          static final VarHandle SHARED, OWN, ARRAY = MethodHandles.arrayElementVarHandle(
              %1$s[].class);
          static final VarHandle BYTES = MethodHandles.byteArrayViewVarHandle(
              %1$s[].class, java.nio.ByteOrder.%3$s_ENDIAN);
          static {
            try {
              SHARED = MethodHandles.lookup().findStaticVarHandle($V.class, "shared", %1$s.class);
              OWN = MethodHandles.lookup().findVarHandle($V.class, "own", %1$s.class);
            } catch (ReflectiveOperationException e) { throw new AssertionError(e); }
          }
        }""",
        type, code.below(1000), code.one("BIG", "LITTLE"));
    code.then("$V v = new $V(); %1$s[] array = new %1$s[8]; byte[] bytes = new byte[64];", type);
    code.then("for (int i = 0; i < %d; i++) {", code.repeats());
    for (int i = 0; i < 2 + code.below(3); i++) {
      code.then(
          code.one(
              "  %1$s a%2$d = (%1$s) $V.SHARED.getAndAdd((%1$s) i);",
              "  boolean b%2$d = $V.OWN.compareAndSet(v, (%1$s) v.own, (%1$s) (i * 3L));",
              "  $V.ARRAY.setVolatile(array, i & 7, (%1$s) (i + array[i & 3]));",
              "  %1$s c%2$d = (%1$s) $V.ARRAY.getAndBitwiseXor(array, i & 7, (%1$s) i);",
              "  $V.BYTES.set(bytes, i & 15, (%1$s) (i * 77L));"),
          type,
          i);
    }
    code.then("}");
    code.then("Out.say($V.shared, v.own, Arrays.toString(array), Arrays.hashCode(bytes));");
    code.then("try { $V.ARRAY.set(array, 8, (%s) 1); }", type);
    code.then("catch (IndexOutOfBoundsException e) { Out.say(e.getMessage()); }");
    code.then("Out.say($V.OWN.coordinateTypes(), $V.SHARED.varType());");
  }

  /** Call sites that change, and bootstrap methods of the program behind lambdas. */
  private static void callSites(RandomCode code) {
    code.declare(
        """
        static class $S {
          static final MutableCallSite SITE = new MutableCallSite(
              MethodType.methodType(int.class, int.class));
          static final MethodHandle CALL = SITE.dynamicInvoker();
          static final SwitchPoint POINT = new SwitchPoint();
          static int a(int x) { return x + %1$d + Out.VARIANT; }
          static int b(int x) { return x * %2$d; }
          static MethodHandle find(String name) throws Exception {
            return MethodHandles.lookup().findStatic($S.class, name, SITE.type());
          }
        }""",
        code.number(), code.number());
    code.then("MethodHandle a = $S.find(\"a\"), b = $S.find(\"b\"); int x = 1;");
    code.then("$S.SITE.setTarget($S.POINT.guardWithTest(a, b));");
    for (int i = 0; i < 3; i++) {
      code.then("for (int i = 0; i < %d; i++)", code.repeats());
      code.then("  x = (int) $S.CALL.invokeExact(x ^ i);");
      code.then("Out.say(x);");
      code.then(
          code.one(
              "SwitchPoint.invalidateAll(new SwitchPoint[] {$S.POINT});",
              "$S.SITE.setTarget(Out.VARIANT %% 2 == 0 ? b : a);",
              "$S.SITE.setTarget(MethodHandles.filterReturnValue(a, b));"));
    }
    code.then("Out.say($S.POINT.hasBeenInvalidated());");
  }

  private static void reflection(RandomCode code) {
    code.declare(
        """
@Retention(RetentionPolicy.RUNTIME) @interface $A { int value() default %1$d;
  String[] names() default {"a", "b"}; Class<?> of() default Object.class; }
@$A(names = "class") static class $R<T extends Number> {
  @$A(7) public static int count = Out.VARIANT;
  private final String text; protected volatile long wide = %1$d; T number;
  $R() { this("default"); }
  $R(String text) { this.text = text; count++; }
  @$A(of = String.class) static int add(int a, long b, Integer c) { return a + (int) b + c; }
  private String secret(Object... all) { return text + all.length; }
  void fails() throws java.io.IOException { throw new java.io.IOException(text); }
}""",
        code.number());
    code.then("Method add = $R.class.getDeclaredMethod(\"add\", int.class, long.class,");
    code.then("    Integer.class); int x = 0;");
    code.then("for (int i = 0; i < %d; i++)", code.one(3, 14, 15, 16, 17, 100, 5000));
    code.then("  x ^= (int) add.invoke(null, i, (long) x, %d);", code.below(100));
    code.then("Out.say(x, add.toGenericString(), add.getAnnotation($A.class).of());");
    code.then("Object r = $R.class.getDeclaredConstructor(String.class).newInstance(\"made\");");
    code.then("Method secret = $R.class.getDeclaredMethod(\"secret\", Object[].class);");
    code.then("secret.setAccessible(true);");
    code.then("Out.say(secret.invoke(r, (Object) new Object[] {1, 2}), $R.count);");
    code.then("Field text = $R.class.getDeclaredField(\"text\"); text.setAccessible(true);");
    code.then("text.set(r, \"other\"); Out.say(text.get(r), secret.invoke(r, (Object) null));");
    code.then("for (Field f : $R.class.getDeclaredFields())");
    code.then("  Out.say(f.toGenericString(), Arrays.toString(f.getAnnotations()).length() > 2);");
    code.then("try { $R.class.getDeclaredMethod(\"fails\").invoke(r); }");
    code.then("catch (InvocationTargetException e) { Out.thrown(e); }");
    code.then("try { add.invoke(null, 1, 2); }");
    code.then("catch (IllegalArgumentException e) { Out.say(e.getMessage()); }");
    code.then("Field count = $R.class.getField(\"count\"); count.setInt(null, %d);", 99);
    code.then("Out.say(count.get(null), $R.count, $R.class.getAnnotation($A.class).names()[0]);");
    code.then("Out.say($R.class.getTypeParameters()[0].getBounds()[0], $R.class.getModifiers());");
  }

  private static void proxies(RandomCode code) {
    code.declare(
        """
public interface $P1 { int get(int x); default String name() { return "default"; } }
public interface $P2 extends $P1 { long wide(long x) throws Exception; }
static class $Handler implements InvocationHandler {
  int calls = Out.VARIANT;
  public Object invoke(Object proxy, Method m, Object[] args) throws Throwable {
    calls++;
    switch (m.getName()) {
      case "get": return (int) args[0] + %1$d;
      case "wide": if (calls %% %2$d == 0) throw new Exception("wide " + calls);
        return (long) args[0] * 2;
      case "name": return calls %% 2 == 0 ? InvocationHandler.invokeDefault(proxy, m) : "n";
      case "hashCode": return 5;
      default: return m.getName();
    }
  }
}""",
        code.number(), 2 + code.below(50));
    code.then("$Handler h = new $Handler(); Class<?>[] all = {$P2.class, Comparable.class};");
    code.then("Object proxy = Proxy.newProxyInstance(Main.class.getClassLoader(), all, h);");
    code.then("$P2 p = ($P2) proxy; int x = 0;");
    code.then("for (int i = 0; i < %d; i++) {", code.repeats());
    code.then("  x = p.get(x ^ i);");
    code.then("  try { x += p.wide(i); } catch (Exception e) { if (i < 200) x += 1; }");
    code.then("}");
    code.then("Out.say(x, h.calls, p, p.hashCode(), p.name(), p.name());");
    code.then("try { ((Comparable) proxy).compareTo(null); }");
    code.then("catch (ClassCastException | NullPointerException e) { Out.say(e.getClass()); }");
    code.then("Out.say(Proxy.isProxyClass(proxy.getClass()), proxy.getClass().getModifiers());");
  }

  private static void strings(RandomCode code) {
    code.declare("static class $T { static final String NAME = \"n\" + Out.VARIANT; }");
    code.declare("static int $pick(String s) { switch (s) { case \"n0\": return 1;");
    code.declare("  case \"n1\": return 2; case \"%s\": return 3; default: return 4; } }", "Aa");
    code.then("String s = \"\"; int x = %d; char c = 'c'; double d = %d / 3.0;", code.number(), 7);
    code.then("for (int i = 0; i < %d; i++) {", code.repeats());
    for (int i = 0; i < 1 + code.below(3); i++) {
      code.then(
          code.one(
              "  s = \"a\" + i + c + x + null + (i %% 2 == 0) + $T.NAME; x += s.hashCode();",
              "  x = x * 31 + (i + \"b\" + d + (long) i).length();",
              "  s += c; if (s.length() > 50) s = s.substring(40); x ^= s.hashCode();",
              "  x += $pick(\"n\" + (i & 1)) + $pick($T.NAME) + $pick(\"BB\");",
              "  x ^= new StringBuilder().append(i).reverse().insert(0,"
                  + " 'x').toString().hashCode();",
              "  x += String.valueOf(i * %1$d).compareTo(\"50\") + \"\\u00e4\\u4e2d\".indexOf(i);"),
          code.below(100));
    }
    code.then("}");
    // Which of equal strings is interned is not that of a stock JVM (docs/reset.md).
    code.then("Out.say(s, x, (\"n\" + Out.VARIANT) == $T.NAME, $T.NAME.intern() == \"n0\");");
    code.then(
        "Out.say(String.format(%s, x, d, s), \"A-B\".split(\"-\").length, \" x \".strip());",
        code.one("\"%%d %%.3f %%s\"", "\"%%08x %%e %%10.3s\"", "\"%%,d %%g %%S\""));
    code.then(
        "Out.say(\"%s\".repeat(3), \"b,a\".chars().sum(), \"ab\".matches(\"[a-c]+\"));", "xy");
  }

  private static void loops(RandomCode code) {
    List<String> variables = List.of("i", "j", "x", "a[i & 63]", "(int) w", "$N.s", "b[j & 31]");
    code.declare("static class $N { static int s = Out.VARIANT + %d; }", code.below(100));
    code.declare("static int $run(int n) {");
    code.declare("  int x = n; long w = 1; int[] a = new int[64]; byte[] b = new byte[32];");
    code.declare("  for (int i = 0; i < n; i++) {");
    code.declare("    for (int j = 0; j < %d; j++) {", 1 + code.below(6));
    for (int i = 0; i < 2 + code.below(4); i++) {
      String value = code.expression(4, variables);
      code.declare(
          code.one(
              "      x += %s;",
              "      a[x & 63] = %s;",
              "      w = w * 31 + %s;",
              "      b[i & 31] += %s;",
              "      if ((%s & 5) == 1) { $N.s++; continue; }",
              "      $N.s ^= %s;"),
          value);
    }
    code.declare("    }");
    code.declare("  }");
    code.declare("  return x ^ (int) w ^ Arrays.hashCode(a) ^ Arrays.hashCode(b) ^ $N.s;");
    code.declare("}");
    code.then("for (int n : new int[] {1, %d, %d}) Out.say($run(n));", 300, code.repeats());
    code.then("try { Out.say($run(%d) / ($N.s - $N.s)); }", 10);
    code.then("catch (ArithmeticException e) { Out.say(e); }");
  }

  private static void collections(RandomCode code) {
    code.then("Random random = new Random(%d + Out.VARIANT);", code.number());
    code.then(
        "List<Integer> list = new ArrayList<>(); Map<String, Integer> map = new TreeMap<>();");
    code.then("Map<Integer, List<Integer>> hash = new HashMap<>(); BitSet bits = new BitSet();");
    code.then("PriorityQueue<Integer> queue = new PriorityQueue<>(Comparator.reverseOrder());");
    code.then("for (int i = 0; i < %d; i++) {", 200 + code.below(2000));
    code.then("  int n = random.nextInt(%d); list.add(n); bits.set(n); queue.add(n);", 300);
    code.then("  map.merge(\"k\" + n %% 17, n, Integer::sum);");
    code.then("  hash.computeIfAbsent(n %% 40, k -> new LinkedList<>()).add(i);");
    code.then("}");
    for (int i = 0; i < 2 + code.below(4); i++) {
      code.then(
          code.one(
              "Collections.shuffle(list, random); Collections.sort(list); Out.say(list.get(9));",
              "Out.say(map, hash.values().stream().mapToInt(List::size).max().getAsInt());",
              "Out.say(bits.cardinality(), bits.nextClearBit(3), queue.poll(), queue.peek());",
              "Out.say(list.stream().filter(n -> n %% 3 == 0).map(n -> n * 2).limit(5)"
                  + ".collect(Collectors.toList()));",
              "Out.say(list.stream().collect(Collectors.groupingBy(n -> n %% 4, TreeMap::new,"
                  + " Collectors.counting())));",
              "Out.say(IntStream.range(0, 2000).parallel().map(n -> n * n).sum());",
              "Iterator<Integer> it%1$d = list.iterator(); list.add(1);"
                  + " try { it%1$d.next(); } catch (ConcurrentModificationException e) {"
                  + " Out.say(e); }",
              "try { List.of(1).add(2); } catch (UnsupportedOperationException e) {"
                  + " Out.say(e.getMessage()); }"),
          i);
    }
    code.then("Out.say(list.hashCode(), map.hashCode(), random.nextGaussian());");
  }
}
