// Copyright 2026 The HotTub Authors
// SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

package java.lang.ref;

import java.lang.reflect.Field;
import jdk.internal.access.SharedSecrets;
import jdk.internal.ref.CleanerFactory;

/**
 * Reference processing between two runs: native resources that a run has forgotten are freed, its
 * finalizers are dropped (they would run in the next one).
 */
public final class HotTubReferences implements Runnable {
  /** Far more than any cleaner of the class library takes. */
  private static final long CLEANER_MS = 2000;

  private static Field unfinalized;
  private static Field prev;
  private static Object finalizerAtStart;
  private static Field firstCleaner;
  private static Field nextCleaner;
  private static Object cleanerAtStart;
  private static ReferenceQueue<?> cleanerQueue;

  private boolean done;

  private HotTubReferences() {}

  /** Finds the lists of the class library; once, before S0. */
  public static void prepare() throws ReflectiveOperationException {
    unfinalized = field(Finalizer.class, "unfinalized");
    prev = field(Finalizer.class, "prev");
    finalizerAtStart = unfinalized.get(null);
    firstCleaner = field(jdk.internal.ref.Cleaner.class, "first");
    nextCleaner = field(jdk.internal.ref.Cleaner.class, "next");
    cleanerAtStart = firstCleaner.get(null);
    Object impl = field(Cleaner.class, "impl").get(CleanerFactory.cleaner());
    cleanerQueue = (ReferenceQueue<?>) field(impl.getClass(), "queue").get(impl);
  }

  private static Field field(Class<?> holder, String name) throws ReflectiveOperationException {
    Field field = holder.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /**
   * Frees direct and mapped buffers that were still in use when the run ended and drops its
   * finalizers. No thread of the run may be left.
   */
  public static void releaseAll() throws ReflectiveOperationException, InterruptedException {
    awaitCleanerThread();
    for (Object cleaner = firstCleaner.get(null); cleaner != null && cleaner != cleanerAtStart; ) {
      Object following = nextCleaner.get(cleaner);
      ((jdk.internal.ref.Cleaner) cleaner).clean();
      cleaner = following;
    }
    unfinalized.set(null, finalizerAtStart);
    if (finalizerAtStart != null) {
      prev.set(finalizerAtStart, null);
    }
    drop(Finalizer.getQueue());
  }

  /**
   * After a collection: lets the reference handler finish and runs what became due in the class
   * library's own cleaner.
   */
  public static void processAll() throws InterruptedException {
    while (SharedSecrets.getJavaLangRefAccess().waitForReferenceProcessing()) {
      // some were processed
    }
    for (Reference<?> due = cleanerQueue.poll(); due != null; due = cleanerQueue.poll()) {
      ((Cleaner.Cleanable) due).clean();
    }
    awaitCleanerThread();
    drop(Finalizer.getQueue());
  }

  /**
   * The thread of the class library's cleaner takes from the same queue: waits until it has done
   * what it had taken, by giving it one more thing to do.
   *
   * @throws IllegalStateException if that takes too long
   */
  private static void awaitCleanerThread() throws InterruptedException {
    HotTubReferences last = new HotTubReferences();
    enqueue(cleanerQueue, CleanerFactory.cleaner().register(new Object(), last));
    synchronized (last) {
      long deadline = System.nanoTime() + CLEANER_MS * 1_000_000;
      for (long left = CLEANER_MS; !last.done && left > 0; ) {
        last.wait(left);
        left = (deadline - System.nanoTime()) / 1_000_000;
      }
      if (!last.done) {
        throw new IllegalStateException("the cleaner of the class library does not come to an end");
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void enqueue(ReferenceQueue<?> queue, Cleaner.Cleanable cleanable) {
    ((ReferenceQueue<Object>) queue).enqueue((Reference<Object>) cleanable);
  }

  /** On the cleaner's thread. */
  @Override
  public synchronized void run() {
    done = true;
    notifyAll();
  }

  private static void drop(ReferenceQueue<?> queue) {
    while (queue.poll() != null) {
      // forgotten
    }
  }
}
