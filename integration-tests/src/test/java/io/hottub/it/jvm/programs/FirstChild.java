// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;

/** Starts its first child process once a file is there; with a status, exits a little later. */
public class FirstChild {
  public static void main(String[] args) throws Exception {
    System.out.println("waiting");
    while (!Files.exists(Path.of(args[0]))) {
      Thread.sleep(10);
    }
    if (args.length > 1) {
      new Thread(() -> exit(Integer.parseInt(args[1]))).start();
    }
    System.out.println("starting");
    new ProcessBuilder("true").start().waitFor();
    Thread.sleep(1_000_000);
  }

  private static void exit(int status) {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    System.exit(status);
  }
}
