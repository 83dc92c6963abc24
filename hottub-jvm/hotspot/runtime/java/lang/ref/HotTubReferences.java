// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package java.lang.ref;

import static jdk.internal.loader.HotTubFields.field;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.access.SharedSecrets;
import jdk.internal.ref.CleanerFactory;
import jdk.internal.ref.CleanerImpl;
import jdk.internal.ref.PhantomCleanable;

/**
 * Reference processing between two runs: native resources that a run has forgotten are freed, its
 * finalizers are dropped (they would run in the next one).
 */
public final class HotTubReferences implements Runnable {
  // Far more than any cleaner of the class library takes, on a busy machine, too; less than the
  // keeper waits for each of the two.
  private static final long RELEASE_MS = 1500;
  private static final long PROCESS_MS = 8000;

  private static Object finalizerLock; // of their list
  private static Field unfinalized;
  private static Field next; // of a Finalizer
  private static Field prev;
  private static Object finalizerAtStart;
  private static Field firstCleaner;
  private static Field nextCleaner;
  private static Object cleanerAtStart;
  private static ReferenceQueue<?> cleanerQueue;
  private static Object firstCleanable;
  private static Field nextCleanable;
  private static Field action;
  private static Field descriptor;
  private static List<Cleaner.Cleanable> cleanablesAtStart;

  private boolean done;

  private HotTubReferences() {}

  /** Finds the lists of the class library; once, before S0. */
  public static void prepare() throws ReflectiveOperationException {
    unfinalized = field(Finalizer.class, "unfinalized");
    finalizerLock = field(Finalizer.class, "lock").get(null);
    next = field(Finalizer.class, "next");
    prev = field(Finalizer.class, "prev");
    finalizerAtStart = unfinalized.get(null);
    firstCleaner = field(jdk.internal.ref.Cleaner.class, "first");
    nextCleaner = field(jdk.internal.ref.Cleaner.class, "next");
    cleanerAtStart = firstCleaner.get(null);
    Object impl = field(Cleaner.class, "impl").get(CleanerFactory.cleaner());
    cleanerQueue = (ReferenceQueue<?>) field(impl.getClass(), "queue").get(impl);
    firstCleanable = field(CleanerImpl.class, "phantomCleanableList").get(impl);
    nextCleanable = field(PhantomCleanable.class, "next");
    action = field(CleanerImpl.PhantomCleanableRef.class, "action");
    descriptor = field(Class.forName("java.io.FileCleanable"), "fd");
    cleanablesAtStart = cleanables();
  }

  /**
   * Frees direct and mapped buffers that were still in use when the run ended, forgets its timers
   * and drops its finalizers. No thread of the run may be left.
   */
  public static void releaseAll() throws ReflectiveOperationException, InterruptedException {
    awaitReferenceHandler();
    awaitCleanerThread(RELEASE_MS);
    for (Object cleaner = firstCleaner.get(null); cleaner != null && cleaner != cleanerAtStart; ) {
      Object following = nextCleaner.get(cleaner);
      ((jdk.internal.ref.Cleaner) cleaner).clean();
      cleaner = following;
    }
    cleanTimers();
    dropFinalizers();
    drop(Finalizer.getQueue());
  }

  /**
   * Each as if its object had been finalized. Their thread may have taken one from the queue just
   * before, or find those that such a one leads to; it would end by an exception when it takes one
   * out of a list that is not theirs any more.
   */
  private static void dropFinalizers() throws ReflectiveOperationException {
    synchronized (finalizerLock) {
      Object finalizer = unfinalized.get(null);
      while (finalizer != null && finalizer != finalizerAtStart) {
        Object following = next.get(finalizer);
        next.set(finalizer, finalizer);
        prev.set(finalizer, null);
        finalizer = following;
      }
      unfinalized.set(null, finalizerAtStart);
      if (finalizerAtStart != null) {
        prev.set(finalizerAtStart, null);
      }
    }
  }

  /** What a timer's cleaner holds leads to its tasks, and a task may lead to the timer. */
  private static void cleanTimers() throws ReflectiveOperationException {
    for (Cleaner.Cleanable cleanable : cleanables()) {
      String owner = ownerOf(cleanable);
      if (owner.startsWith("java.util.Timer$") && !cleanablesAtStart.contains(cleanable)) {
        cleanable.clean();
      }
    }
  }

  /**
   * After a collection: lets the reference handler finish and runs what became due in the class
   * library's own cleaner.
   *
   * @param kept descriptors that stay open
   */
  public static void processAll(int[] kept)
      throws ReflectiveOperationException, InterruptedException {
    awaitReferenceHandler();
    for (Reference<?> due = cleanerQueue.poll(); due != null; due = cleanerQueue.poll()) {
      if (actionOf((Cleaner.Cleanable) due) != null) {
        ((Cleaner.Cleanable) due).clean();
      }
    }
    awaitCleanerThread(PROCESS_MS);
    cleanDescriptors(kept);
    drop(Finalizer.getQueue());
  }

  /**
   * An object may outlive its run (a compiler that still works holds some): later, it would close a
   * number that leads to another file by then.
   */
  private static void cleanDescriptors(int[] kept) throws ReflectiveOperationException {
    for (Cleaner.Cleanable cleanable : cleanables()) {
      String owner = ownerOf(cleanable);
      boolean closes =
          owner.startsWith("java.io.")
              || owner.startsWith("java.net.")
              || owner.startsWith("sun.nio.ch.");
      if (closes && !isKept(cleanable, kept) && !cleanablesAtStart.contains(cleanable)) {
        cleanable.clean();
      }
    }
  }

  private static boolean isKept(Cleaner.Cleanable cleanable, int[] kept)
      throws ReflectiveOperationException {
    if (descriptor.getDeclaringClass().isInstance(cleanable)) {
      int number = descriptor.getInt(cleanable);
      for (int other : kept) {
        if (number == other) {
          return true;
        }
      }
    }
    return false;
  }

  /** What the class library's own cleaner has to do some time. */
  public static List<Cleaner.Cleanable> cleanables() throws ReflectiveOperationException {
    List<Cleaner.Cleanable> all = new ArrayList<>();
    synchronized (firstCleanable) { // as the cleaner's thread does
      Object cleanable = nextCleanable.get(firstCleanable);
      while (cleanable != firstCleanable) {
        all.add((Cleaner.Cleanable) cleanable);
        cleanable = nextCleanable.get(cleanable);
      }
    }
    return all;
  }

  /** The name of the class whose code one of them will run; empty: none. */
  private static String ownerOf(Cleaner.Cleanable cleanable) throws ReflectiveOperationException {
    Object action = actionOf(cleanable);
    return action == null ? "" : action.getClass().getName();
  }

  /**
   * What one of them will do: an action, or itself. Null where a thread of the run has ended before
   * it gave the action to it.
   */
  public static Object actionOf(Cleaner.Cleanable cleanable) throws ReflectiveOperationException {
    return cleanable instanceof CleanerImpl.PhantomCleanableRef ? action.get(cleanable) : cleanable;
  }

  /** Until what collections have found is in its queues. */
  private static void awaitReferenceHandler() throws InterruptedException {
    while (SharedSecrets.getJavaLangRefAccess().waitForReferenceProcessing()) {
      // some were processed
    }
  }

  /**
   * The thread of the class library's cleaner takes from the same queue: waits until it has done
   * what it had taken, by giving it one more thing to do.
   *
   * @throws IllegalStateException if that takes too long
   */
  private static void awaitCleanerThread(long patience) throws InterruptedException {
    HotTubReferences last = new HotTubReferences();
    enqueue(cleanerQueue, CleanerFactory.cleaner().register(new Object(), last));
    synchronized (last) {
      long deadline = System.nanoTime() + patience * 1_000_000;
      for (long left = patience; !last.done && left > 0; ) {
        last.wait(left);
        left = (deadline - System.nanoTime()) / 1_000_000;
      }
      if (!last.done) {
        throw new IllegalStateException(
            "the cleaner of the class library has not come to an end within " + patience + " ms");
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
