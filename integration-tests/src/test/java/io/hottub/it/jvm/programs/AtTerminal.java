// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.Console;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;

/** What programs do at a terminal: the first argument says which of it. */
public class AtTerminal {
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "line" -> {
        System.out.println("ready");
        System.out.println(
            "read " + new BufferedReader(new InputStreamReader(System.in)).readLine());
      }
      case "password" -> {
        Console console = System.console();
        System.out.println("got " + new String(console.readPassword("password: ")));
      }
      case "device" -> {
        try (FileInputStream device = new FileInputStream("/dev/tty")) {
          System.out.println("device opens " + (device.available() >= 0));
        }
      }
      case "settings" ->
          child("saved=$(stty -g </dev/tty) && stty -echo && stty \"$saved\" && stty size");
      case "facts" -> {
        System.out.println("console " + (System.console() != null));
        System.out.println("available " + (System.in.available() >= 0));
        child("test -t 0 && test -t 1 && test -t 2 && stty size");
      }
      case "resized" -> {
        CountDownLatch resized = new CountDownLatch(1);
        Signal.handle(new Signal("WINCH"), signal -> resized.countDown());
        System.out.println("waits");
        resized.await();
        child("stty size");
      }
      case "sleep" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        System.out.println("sleeping");
        Thread.sleep(1_000_000);
      }
      case "parent" -> {
        // The shell tells of signals that it gets, every time its sleep ends.
        child(
            "for s in TERM INT HUP; do trap \"echo child got $s; exit\" $s; done; echo child is $$;"
                + " while :; do sleep 0.02; done");
        Thread.sleep(1_000_000);
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void child(String script) throws IOException, InterruptedException {
    Process child = new ProcessBuilder("sh", "-c", script).inheritIO().start();
    System.out.println("child ends with " + child.waitFor());
  }
}
