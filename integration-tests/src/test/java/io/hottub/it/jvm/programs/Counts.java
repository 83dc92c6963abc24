// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Proxy;

/** Lets the VM count collections, safepoints, locks, classes and compilations. */
public class Counts {
  private static int waited;

  private static synchronized void waitAWhile() {
    try {
      Counts.class.wait(1);
      waited++;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 20; i++) {
      System.gc();
      Thread.getAllStackTraces();
      Thread thread = new Thread(Counts::waitAWhile);
      thread.start();
      waitAWhile();
      thread.join();
      Class<?>[] kinds = {Runnable.class};
      Proxy.newProxyInstance(new ClassLoader() {}, kinds, (proxy, method, arguments) -> null);
    }
    System.out.println(waited);
  }
}
