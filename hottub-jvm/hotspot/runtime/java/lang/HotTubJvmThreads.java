// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import jdk.internal.loader.HotTubFields;

/** Threads of the JVM, which every run finds and may change. */
final class HotTubJvmThreads {
  private static final String[] FIELDS = {
    "name",
    "priority",
    "contextClassLoader",
    "uncaughtExceptionHandler",
    "interrupted",
    "threadLocals", // by finalizers of the run
    "inheritableThreadLocals"
  };

  private static Field[] fields;
  private static Method setNativeName;
  private static Thread[] threads;
  private static Object[][] values; // of thread i, at S0

  private HotTubJvmThreads() {}

  /** Before S0; main is not one of them. */
  static void prepare() throws ReflectiveOperationException {
    fields = new Field[FIELDS.length];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = HotTubFields.field(Thread.class, FIELDS[i]);
    }
    setNativeName = Thread.class.getDeclaredMethod("setNativeName", String.class);
    setNativeName.setAccessible(true);
    ThreadGroup all = Thread.currentThread().getThreadGroup();
    while (all.getParent() != null) {
      all = all.getParent();
    }
    Thread[] found = new Thread[100];
    int count = all.enumerate(found);
    threads = new Thread[count];
    values = new Object[count][fields.length];
    for (int i = 0; i < count; i++) {
      threads[i] = found[i];
      for (int j = 0; j < fields.length; j++) {
        values[i][j] = fields[j].get(found[i]);
      }
    }
  }

  /** After a run. */
  @SuppressWarnings({"deprecation", "removal"}) // what a run has suspended
  static void restore() throws ReflectiveOperationException {
    for (int i = 0; i < threads.length; i++) {
      if (threads[i] == Thread.currentThread()) {
        continue; // main, of which the snapshot has all
      }
      threads[i].resume();
      if (threads[i].getName() != values[i][0]) {
        setNativeName.invoke(threads[i], values[i][0]);
      }
      for (int j = 0; j < fields.length; j++) {
        fields[j].set(threads[i], values[i][j]);
      }
    }
  }

  /**
   * Whether a run has ended one of them.
   *
   * @return its name at S0, or null
   */
  static String ended() {
    for (int i = 0; i < threads.length; i++) {
      if (!threads[i].isAlive()) {
        return (String) values[i][0];
      }
    }
    return null;
  }
}
