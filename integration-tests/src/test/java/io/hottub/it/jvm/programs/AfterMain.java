// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Optional;

/**
 * What is seen of the threads when main has ended, by a thread that goes on and by a hook: instead
 * of it there is "DestroyJavaVM". Both are changed, too, for the next run.
 */
public class AfterMain {
  private static final String NAME = "DestroyJavaVM";

  private static Optional<Thread> destroyer() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(NAME))
        .findFirst();
  }

  private static String describe(Thread thread) {
    return "%s id %d, daemon %s, alive %s, loader %s, handler %s"
        .formatted(
            thread,
            thread.getId(),
            thread.isDaemon(),
            thread.isAlive(),
            thread.getContextClassLoader(),
            thread.getUncaughtExceptionHandler() == thread.getThreadGroup());
  }

  private static void look(String who) {
    Thread thread = destroyer().orElseThrow();
    System.out.println(who + ": " + describe(thread));
    Thread[] group = new Thread[9];
    Thread.enumerate(group);
    System.out.println(Thread.activeCount() + " " + Arrays.asList(group).contains(thread));

    ThreadMXBean beans = ManagementFactory.getThreadMXBean();
    long[] ids = beans.getAllThreadIds();
    System.out.println(
        Arrays.stream(beans.getThreadInfo(ids)).map(ThreadInfo::getThreadName).sorted().toList());
    System.out.println(Arrays.stream(ids).allMatch(id -> beans.getThreadCpuTime(id) >= 0));
    System.out.println(beans.getTotalStartedThreadCount() + " " + beans.getPeakThreadCount());

    Thread later = new Thread(() -> {});
    System.out.println(later.getName() + " " + later.getId());
  }

  private static void change(Thread thread) {
    thread.setName("of a run");
    thread.setPriority(3);
    thread.setContextClassLoader(null);
    thread.setUncaughtExceptionHandler((t, e) -> System.out.println("WRONG: of a run"));
  }

  private static void await(Thread main) {
    try {
      main.join();
      while (destroyer().isEmpty()) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) {
    Thread main = Thread.currentThread();
    Thread hook =
        new Thread(
            () -> {
              look("hook");
              change(destroyer().orElseThrow());
            });
    Runtime.getRuntime().addShutdownHook(hook);
    new Thread(
            () -> {
              await(main);
              System.out.println(main + " " + main.getState());
              look("thread");
              destroyer().orElseThrow().interrupt();
              System.out.println(destroyer().orElseThrow().isInterrupted());
            })
        .start();
  }
}
