// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for half a second, unless somebody has unparked main before. Then unparks all threads. */
public class Parks {
  public static void main(String[] args) {
    long begin = System.nanoTime();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
    long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    System.out.println(ms < 400 ? "was unparked" : "has waited");
    Thread.getAllStackTraces().keySet().forEach(LockSupport::unpark);
  }
}
