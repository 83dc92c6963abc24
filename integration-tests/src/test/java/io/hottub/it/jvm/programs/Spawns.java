// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;

/**
 * Ends while two threads start processes, and one is mostly inside of the class library, for which
 * the end waits: no start fails.
 */
public class Spawns {
  private static void start() {
    for (; ; ) {
      try {
        new ProcessBuilder("/bin/true").start().waitFor();
      } catch (IOException | InterruptedException e) {
        System.out.println("WRONG: " + e);
      }
    }
  }

  private static void look() {
    for (int i = 0; ; i++) {
      try {
        Class.forName("none.Such" + i);
      } catch (ClassNotFoundException e) {
        // as it should
      }
    }
  }

  public static void main(String[] args) throws Exception {
    for (Runnable code : new Runnable[] {Spawns::start, Spawns::start, Spawns::look}) {
      Thread thread = new Thread(code);
      thread.setDaemon(true);
      thread.start();
    }
    Thread.sleep(150);
  }
}
