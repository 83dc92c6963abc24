// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.Locale;
import sun.misc.Signal;

/** Waits to be killed; catches the signal that its first argument names in small letters. */
public class Waits {
  public static void main(String[] args) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    if (args.length > 0 && args[0].matches("usr1|chld")) {
      String name = args[0].toUpperCase(Locale.ROOT);
      Signal.handle(new Signal(name), signal -> System.out.println("caught " + signal));
    }
    try {
      System.out.println("waiting");
      Thread.sleep(1_000_000);
    } finally {
      System.out.println("WRONG: finally");
    }
  }
}
