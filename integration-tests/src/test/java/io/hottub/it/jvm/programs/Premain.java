// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.security.ProtectionDomain;

/**
 * An agent that says in what surroundings it was started; its options are what it does then: {@code
 * fail}, {@code exit}, {@code daemon} or nothing. As a program it is what comes after the agent;
 * {@code use} uses the agent's Instrumentation.
 */
public final class Premain {
  private static int starts;
  private static Instrumentation instrumentation;

  /** Loaded late. */
  static class Late {
    @Override
    public String toString() {
      return "late";
    }
  }

  static class Watcher implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> c, ProtectionDomain domain, byte[] bytes) {
      if ("Premain$Late".equals(name)) {
        System.out.println("sees " + name);
      }
      return null;
    }
  }

  private Premain() {}

  public static void premain(String options, Instrumentation given) {
    starts++;
    instrumentation = given;
    System.out.printf(
        "premain %s, start %d, %s, %s, redefines %b, retransforms %b%n",
        options,
        starts,
        given.getClass().getName(),
        Thread.currentThread(),
        given.isRedefineClassesSupported(),
        given.isRetransformClassesSupported());
    System.out.println(Premain.class.getProtectionDomain().getCodeSource().getLocation());
    System.setProperty("of.the.agent", options + " was here");
    if ("exit".equals(options)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
      System.exit(7);
    }
    if ("fail".equals(options)) {
      throw new IllegalStateException("of the agent");
    }
    if ("daemon".equals(options)) {
      Thread daemon = new Thread(Premain::sleep, "daemon of the agent");
      daemon.setDaemon(true);
      daemon.start();
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      System.out.println("interrupted");
    }
  }

  public static void main(String[] args) {
    System.out.println(System.getProperty("java.class.path"));
    System.out.println(ManagementFactory.getRuntimeMXBean().getInputArguments());
    System.out.println(System.getProperty("of.the.agent") + ", starts " + starts);
    Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains("agent"))
        .forEach(System.out::println);
    if (args.length > 0) {
      System.out.println(instrumentation.getObjectSize(new int[10]));
      instrumentation.addTransformer(new Watcher());
      System.out.println(new Late());
      System.out.println(instrumentation.getAllLoadedClasses().length > 100);
      System.out.println(instrumentation.isModifiableClass(Late.class));
    }
  }
}
