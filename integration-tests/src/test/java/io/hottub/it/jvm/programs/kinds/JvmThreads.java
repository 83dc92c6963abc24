// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/** Threads that a run finds: those of the JVM. */
public class JvmThreads extends Kind {
  private static List<Thread> all() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread != Thread.currentThread())
        .toList();
  }

  private static final ThreadLocal<JvmThreads> LOCAL = new ThreadLocal<>();

  /** The thread of finalizers remembers this. */
  private static class Finalizable {
    private final CountDownLatch isDone;

    Finalizable(CountDownLatch isDone) {
      this.isDone = isDone;
    }

    @Override
    @SuppressWarnings("deprecation")
    protected void finalize() {
      LOCAL.set(new JvmThreads());
      isDone.countDown();
    }
  }

  @Override
  @SuppressWarnings({"deprecation", "removal"})
  protected void dirty() throws Exception {
    CountDownLatch isFinalized = new CountDownLatch(1);
    new Finalizable(isFinalized);
    System.gc();
    isFinalized.await();
    for (Thread thread : all()) {
      thread.setName("of a run");
      thread.setPriority(3);
      thread.setUncaughtExceptionHandler((t, e) -> System.out.println("WRONG: of a run"));
      if (thread.getThreadGroup().getName().equals("system")) { // others do not allow it
        thread.setContextClassLoader(new ClassLoader() {});
      }
      thread.interrupt();
      thread.suspend();
    }
  }

  private static String describe(Thread thread) {
    return thread
        + " "
        + thread.isDaemon()
        + " "
        + thread.isInterrupted()
        + " "
        + nameOf(thread.getContextClassLoader())
        + " "
        + nameOf(thread.getUncaughtExceptionHandler());
  }

  @Override
  protected void probe() {
    show("threads", () -> new TreeSet<>(all().stream().map(JvmThreads::describe).toList()));
  }
}
