// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.io.File;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.WeakHashMap;
import java.util.stream.Collectors;

/** Finalizers, cleaners, references, direct memory, timers. */
public class References extends Kind {
  static final Cleaner CLEANER = Cleaner.create();
  static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  static class Finalized {
    private final File mark = new File("finalized").getAbsoluteFile();

    @Override
    @SuppressWarnings("deprecation")
    protected void finalize() throws IOException {
      mark.createNewFile();
    }
  }

  @Override
  protected void dirty() throws Exception {
    for (int i = 0; i < 100; i++) {
      KEPT.add(new Finalized());
      Object cleaned = new Object();
      CLEANER.register(cleaned, () -> System.out.println("WRONG: cleaned"));
      KEPT.add(cleaned);
      KEPT.add(new PhantomReference<>(new Object(), QUEUE));
      KEPT.add(new WeakReference<>(new Object(), QUEUE));
      KEPT.add(new SoftReference<>(new byte[1000], QUEUE));
      KEPT.add(ByteBuffer.allocateDirect(300_000));
    }
    new WeakHashMap<Object, Object>().put(String.class, "dirty");
    // What its cleaner holds leads back to the timer.
    Timer timer = new Timer(true);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            System.out.println("WRONG: " + timer);
          }
        },
        100_000);
  }

  private static List<String> cleaners() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("Cleaner-"))
        .collect(Collectors.toList());
  }

  @Override
  protected void probe() throws Exception {
    System.gc();
    show("queue", QUEUE::poll);
    show("threads of cleaners", References::cleaners);
    show("finalizers of former runs", () -> new File("finalized").exists());
    show("direct memory", () -> ByteBuffer.allocateDirect(40_000_000).capacity());
    System.gc();
    Thread.sleep(20);
  }
}
