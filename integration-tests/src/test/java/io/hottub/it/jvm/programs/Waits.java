// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import sun.misc.Signal;

/** Waits to be killed; catches USR1 where its first argument says so. */
public class Waits {
  public static void main(String[] args) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    if (args.length > 0 && args[0].equals("usr1")) {
      Signal.handle(new Signal("USR1"), signal -> System.out.println("caught " + signal));
    }
    try {
      System.out.println("waiting");
      Thread.sleep(1_000_000);
    } finally {
      System.out.println("WRONG: finally");
    }
  }
}
