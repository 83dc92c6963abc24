// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.zip.Deflater;

/**
 * Exits with status 12 while three threads for each processor have just called native code that
 * ends by itself, after 130 ms on a processor: they need three times as long.
 */
public class Crowd {
  private static final long CALL_NS = 130_000_000;
  private static final int TRIAL_BYTES = 1 << 22;

  private static void compress(byte[] data, byte[] out) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    deflater.setInput(data);
    deflater.deflate(out);
    deflater.end();
  }

  private static long trialNanos() {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long begin = System.nanoTime();
      compress(new byte[TRIAL_BYTES], new byte[1 << 16]);
      best = Math.min(best, System.nanoTime() - begin);
    }
    return best;
  }

  public static void main(String[] args) throws Exception {
    int size = (int) Math.min(1 << 27, CALL_NS * TRIAL_BYTES / trialNanos());
    byte[] data = new byte[size];
    int threads = 3 * Runtime.getRuntime().availableProcessors();
    CountDownLatch ready = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      byte[] out = new byte[1 << 20];
      new Thread(
              () -> {
                ready.countDown();
                compress(data, out);
                System.out.println("WRONG: ran on");
              })
          .start();
    }
    ready.await();
    Thread.sleep(5);
    System.out.println("all there");
    Runtime.getRuntime().halt(12);
  }
}
