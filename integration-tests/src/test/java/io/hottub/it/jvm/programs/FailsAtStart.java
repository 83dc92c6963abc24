// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Its initialiser fails, so there is no main: the launcher has the exception described, and asks no
 * handler. The property {@code way} says what the initialiser does before.
 */
public class FailsAtStart {
  /** Says which of its methods is called, or ends. */
  private static class Own extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public void printStackTrace() {
      switch (System.getProperty("way")) {
        case "print-exits" -> System.exit(77);
        case "print-throws" -> throw new IllegalStateException("thrown while printing");
        default -> System.out.println("printStackTrace()");
      }
    }

    @Override
    public void printStackTrace(PrintStream stream) {
      System.out.println("printStackTrace(PrintStream)");
    }
  }

  static {
    fail();
  }

  private static void fail() {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    Thread.UncaughtExceptionHandler handler =
        (thread, thrown) -> {
          System.out.println("handler");
          System.exit(55);
        };
    switch (System.getProperty("way")) {
      case "handler" -> Thread.setDefaultUncaughtExceptionHandler(handler);
      case "handler-of-thread" -> Thread.currentThread().setUncaughtExceptionHandler(handler);
      case "other-stream" -> System.setErr(new PrintStream(OutputStream.nullOutputStream()));
      default -> throw new Own();
    }
    throw new Error("thrown by the initialiser");
  }

  public static void main(String[] args) {
    System.out.println("WRONG: main");
  }
}
