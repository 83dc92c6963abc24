// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.util.List;
import java.util.function.Consumer;

/** Parts of random programs that throw, start threads, and leave something behind. */
final class RandomEffects {
  static final List<Consumer<RandomCode>> KINDS =
      List.of(
          RandomEffects::exceptions,
          RandomEffects::exceptions,
          RandomEffects::threads,
          RandomEffects::executors,
          RandomEffects::initialiserInAThread,
          RandomEffects::threadLocals,
          RandomEffects::settings,
          RandomEffects::constantsOfTheLibrary,
          RandomEffects::classValues,
          RandomEffects::stacks);

  private RandomEffects() {}

  private static void exceptions(RandomCode code) {
    code.declare("static class $X extends RuntimeException {");
    code.declare("  $X(String message, Throwable cause) { super(message, cause); } }");
    code.declare(
        """
        static class $Closes implements AutoCloseable {
          static int open = Out.VARIANT;
          $Closes() { open++; }
          public void close() { if (--open %% %d == 0) throw new $X("close " + open, null); }
        }""",
        2 + code.below(3));
    code.declare("static int $deep(int n) { return n == 0 ? $fail(n) : $deep(n - 1) + 1; }");
    code.declare("static int $endless(int n) { return $endless(n + 1) + 1; }");
    String failure =
        code.one(
            "throw new $X(\"message\", new Error(\"cause\"));",
            "int[] a = new int[3]; return a[n + 3 + Out.VARIANT];",
            "Object o = List.of(); return ((String) o).length();",
            "Object[] a = new Integer[1]; a[0] = \"s\"; return 1;",
            "int[][] a = new int[2][]; return a[1][n];",
            "return new int[n - 1].length;",
            "return 1 / n;",
            "return Integer.parseInt(\"x\" + n);",
            "return (Integer) (Object) null;",
            "return Optional.<Integer>empty().get();",
            "return \"abc\".charAt(n + 7);",
            "return List.of(1, 2).get(2);",
            "throw null;");
    code.declare("static int $fail(int n) { %s }", failure);
    code.declare(
        """
        static int $flow(int n) {
          int x = 0;
          try {
            try (var one = new $Closes(); var two = new $Closes()) {
              if (n %% 3 == 0) x = $fail(0);
              x += n;
            } finally { x++; }
          } catch (RuntimeException e) {
            x -= e.getSuppressed().length + 1;
          }
          return x;
        }""");
    code.then("try { Out.say($deep(%d)); } catch (RuntimeException e) {", code.below(9));
    code.then("  Out.thrown(new $X(\"wrapped\", e)); }");
    code.then("try { try (var c = new $Closes()) { $fail(0); } } catch (RuntimeException e) {");
    code.then("  Out.thrown(e); }");
    code.then("int x = 0; for (int i = 0; i < %d; i++) x += $flow(i);", code.repeats());
    code.then("Out.say(x, $Closes.open);");
    if (code.maybe()) {
      code.then("try { $endless(0); } catch (StackOverflowError e) { Out.say(e.getMessage()); }");
    }
    if (code.maybe()) {
      code.then("$fail(0);");
    }
  }

  private static void threads(RandomCode code) {
    code.declare("static class $W { static int done = Out.VARIANT; static final Object LOCK =");
    code.declare("  new Object(); static synchronized void add(int n) { done += n; } }");
    code.then("Thread[] all = new Thread[%d]; AtomicInteger sum = new AtomicInteger();", 4);
    code.then("List<String> thrown = Collections.synchronizedList(new ArrayList<>());");
    code.then("CountDownLatch latch = new CountDownLatch(all.length);");
    code.then("for (int t = 0; t < all.length; t++) {");
    code.then("  int n = t;");
    code.then("  all[t] = new Thread(() -> {");
    code.then("    latch.countDown();");
    code.then("    for (int i = 0; i < %d; i++) {", code.repeats());
    code.then(
        code.one(
            "      $W.add(i & n);",
            "      synchronized ($W.LOCK) { $W.done ^= 1; }",
            "      sum.addAndGet(i * n);",
            "      if (i == 7) Thread.yield();"));
    code.then("    }");
    code.then("    if (n == %d) throw new IllegalStateException(\"in \" + n);", code.below(6));
    code.then("  }, \"worker \" + t);");
    code.then("  all[t].setUncaughtExceptionHandler((who, e) ->");
    code.then("      thrown.add(who.getName() + e.getMessage()));");
    code.then("  all[t].setDaemon(%b); all[t].start();", code.maybe());
    code.then("}");
    code.then("for (Thread t : all) t.join();");
    code.then("Out.say($W.done, sum, thrown, all[0].getState(), all[0].isAlive());");
    if (code.maybe()) {
      code.then("Thread waits = new Thread(() -> { synchronized ($W.LOCK) { try {");
      code.then("  $W.LOCK.wait(); } catch (InterruptedException e) { sum.set(-1); } } });");
      code.then("waits.start(); waits.interrupt(); waits.join(); Out.say(sum);");
    }
  }

  private static void executors(RandomCode code) {
    code.then(
        "ExecutorService pool = %s;",
        code.one(
            "Executors.newFixedThreadPool(3)",
            "Executors.newSingleThreadExecutor()",
            "Executors.newCachedThreadPool()",
            "new ForkJoinPool(2)"));
    code.then("List<Future<Integer>> futures = new ArrayList<>();");
    code.then("for (int i = 0; i < %d; i++) { int n = i + Out.VARIANT;", 5 + code.below(30));
    code.then("  futures.add(pool.submit(() -> { if (n %% 7 == 3) throw new Exception(\"e\" + n);");
    code.then("    return n * n; })); }");
    code.then("int sum = 0; for (Future<Integer> f : futures) { try { sum += f.get(); }");
    code.then("  catch (ExecutionException e) { sum -= e.getCause().getMessage().length(); } }");
    code.then("Out.say(sum);");
    code.then("pool.shutdown(); Out.say(pool.awaitTermination(60, TimeUnit.SECONDS));");
    code.then("CompletableFuture<Integer> f = CompletableFuture.supplyAsync(() -> Out.VARIANT)");
    code.then("  .thenApplyAsync(n -> n + %d).thenCombine(", code.number());
    code.then("      CompletableFuture.completedFuture(2), (a, b) -> a * b);");
    code.then("Out.say(f.get(), f.handle((v, e) -> e == null).get());");
    code.then("Out.say(IntStream.range(0, 999).parallel().filter(n -> n %% 3 == 0).count());");
  }

  private static void initialiserInAThread(RandomCode code) {
    code.declare(
        """
        static class $Slow {
          static int value = Out.VARIANT;
          static { for (int i = 0; i < %1$d; i++) value = value * 31 + i;
            Out.say("initialised by", Thread.currentThread().getName()); %2$s }
        }""",
        code.repeats(),
        code.maybe() ? "if (Out.VARIANT % 2 == 0) throw new Error(\"failed\");" : "");
    code.declare("static int $get() { return $Slow.value; }");
    code.then("List<String> seen = Collections.synchronizedList(new ArrayList<>());");
    code.then("Runnable get = () -> { try { seen.add(\"\" + $get()); } catch (Throwable t) {");
    code.then("  seen.add(t.getClass() + \"\"); } };");
    code.then("Thread first = new Thread(get, \"first\"); first.start(); first.join();");
    code.then("Thread second = new Thread(get, \"second\"); second.start(); second.join();");
    code.then("get.run(); Out.say(seen);");
    code.then(
        "for (int i = 0; i < %d; i++) { try { if ($get() == 1) Out.say(1); }", code.repeats());
    code.then("  catch (NoClassDefFoundError e) { break; } }");
  }

  private static void threadLocals(RandomCode code) {
    code.declare("static class $TL {");
    code.declare("  static final ThreadLocal<Integer> OWN = ThreadLocal.withInitial(() ->");
    code.declare("      Out.VARIANT + %d);", code.number());
    code.declare("  static final InheritableThreadLocal<String> DOWN =");
    code.declare("      new InheritableThreadLocal<>(); }");
    code.then("Out.say($TL.OWN.get(), $TL.DOWN.get());");
    code.then("for (int i = 0; i < %d; i++) $TL.OWN.set($TL.OWN.get() + 1);", code.repeats());
    code.then("$TL.DOWN.set(\"of main\");");
    code.then("Thread t = new Thread(() -> { Out.say($TL.OWN.get(), $TL.DOWN.get());");
    code.then("  $TL.DOWN.set(\"of the thread\"); });");
    code.then("t.start(); t.join(); Out.say($TL.OWN.get(), $TL.DOWN.get());");
    if (code.maybe()) {
      code.then("$TL.OWN.remove(); Out.say($TL.OWN.get());");
    }
  }

  /** Finds what no other part has set, and changes it. */
  private static void settings(RandomCode code) {
    String name = "random." + code.below(1_000_000_000);
    for (int i = 0; i < 2 + code.below(4); i++) {
      code.then(
          code.one(
              "Out.say(System.setProperty(\"%1$s.%2$d\", \"v\" + Out.VARIANT));",
              "Out.say(java.security.Security.getProperty(\"%1$s.%2$d\"));"
                  + " java.security.Security.setProperty(\"%1$s.%2$d\", \"x\");",
              "var log%2$d = java.util.logging.Logger.getLogger(\"%1$s.%2$d\");"
                  + " Out.say(log%2$d.getLevel(), log%2$d.getHandlers().length);"
                  + " log%2$d.setLevel(java.util.logging.Level.FINE);",
              "Out.say(System.identityHashCode(null), Thread.currentThread().getName());",
              "Out.say(Thread.getDefaultUncaughtExceptionHandler() == null);",
              "Out.say(java.util.ServiceLoader.load(Runnable.class).iterator().hasNext());",
              "var file%2$d = java.io.File.createTempFile(\"random\", null); file%2$d.delete();"
                  + " Out.say(file%2$d.getParent());",
              "Out.say(TimeZone.getDefault().getID(), Locale.getDefault());",
              "Out.say(Integer.getInteger(\"%1$s.%2$d\", %2$d), Boolean.getBoolean(\"%1$s\"));",
              "Out.say(Main.class.desiredAssertionStatus(), Main.class.getPackage());"),
          name,
          i);
    }
  }

  /** Identity of what the class library has once for each JVM. */
  private static void constantsOfTheLibrary(RandomCode code) {
    code.then("int x = 0; for (int i = 0; i < %d; i++) {", code.repeats());
    code.then("  Integer box = i & 127; if (box == Integer.valueOf(i & 127)) x++;");
    code.then("  if (Long.valueOf(i & 63) == (Object) (long) (i & 63)) x++; }");
    code.then("Out.say(x, Collections.emptyList() == List.of(), Optional.empty().isPresent());");
    code.then(
        "Out.say(\"lit\" + %1$d == \"lit\" + %1$d, (\"a\" + x) == (\"a\" + x));", code.below(9));
    code.then("Out.say(TimeUnit.SECONDS.toMillis(%d), Boolean.TRUE, Locale.ROOT);", code.below(99));
    code.then(
        "Out.say(new java.math.BigInteger(\"%d\").pow(%d));", code.below(999), code.below(20));
    code.then("Out.say(new java.math.BigDecimal(\"1.%d\").divide(", code.below(999));
    code.then("    java.math.BigDecimal.valueOf(3), java.math.MathContext.DECIMAL64));");
    code.then(
        "Out.say(java.time.Duration.ofSeconds(%d), java.time.LocalDate.of(2024, 2, 29)", 7777);
    code.then("    .plusYears(1), UUID.nameUUIDFromBytes(new byte[] {1, 2}));");
    code.then("Out.say(Base64.getEncoder().encodeToString(\"x%d\".getBytes()));", code.below(99));
  }

  private static void classValues(RandomCode code) {
    code.declare("static class $CV extends ClassValue<String> { static int made = Out.VARIANT;");
    code.declare("  static final $CV OF = new $CV(); protected String computeValue(Class<?> c) {");
    code.declare("  return c.getSimpleName() + made++; } }");
    code.then("int x = 0; Class<?>[] of = {String.class, int.class, Main.class, int[].class};");
    code.then("for (int i = 0; i < %d; i++) x += $CV.OF.get(of[i & 3]).length();", code.repeats());
    code.then("Out.say(x, $CV.OF.get(Object.class), $CV.OF.get(int.class), $CV.made);");
    code.then("$CV.OF.remove(int.class); Out.say($CV.OF.get(int.class));");
    code.then("Map<Object, Integer> map = Collections.synchronizedMap(new WeakHashMap<>());");
    code.then("map.put(Main.class, %d); Out.say(map.get(Main.class));", code.number());
  }

  private static void stacks(RandomCode code) {
    code.declare("static class $St { static String walk() {");
    code.declare("  return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)");
    code.declare("      .walk(s -> s.limit(%d).map(f -> f.getMethodName() + f.getLineNumber())", 4);
    code.declare("      .collect(Collectors.joining(\",\"))); }");
    code.declare("  static int deep(int n) { if (n > 0) return deep(n - 1) + 1;");
    code.declare("    Out.say(walk()); return new Throwable().getStackTrace().length; } }");
    code.then("Out.say($St.deep(%d));", code.below(30));
    code.then("Supplier<String> s = $St::walk; Out.say(s.get());");
    code.then("Out.say(StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)");
    code.then("  .getCallerClass());");
    code.then("new Object() { void f() { Out.say($St.walk(), getClass().getEnclosingMethod()); }");
    code.then("}.f();");
  }
}
