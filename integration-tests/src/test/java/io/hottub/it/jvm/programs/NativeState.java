// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Has native code do what its arguments say, one after the other. The first one is the library. */
public class NativeState {
  /** What it has printed is written out; the result is printed where it is not 0. */
  static native int call(String what, String argument);

  private static void print(String name, String argument) {
    int result = call(name, argument);
    if (result != 0) {
      System.out.println(name + ": " + result);
    }
  }

  /** Another thread takes the monitor that native code may have, at the latest when main ends. */
  private static void lock() throws InterruptedException {
    Thread taker =
        new Thread(
            () -> {
              synchronized (String.class) {
                System.out.println("taken");
              }
            });
    taker.start();
    taker.join(1000);
  }

  private static void run(String name, String argument) throws Exception {
    switch (name) {
      case "print":
        System.out.println(argument);
        break;
      case "exit":
        System.exit(Integer.parseInt(argument));
        break;
      case "thread":
        Thread thread = new Thread(() -> print(argument, ""));
        thread.start();
        thread.join();
        break;
      case "lock":
        lock();
        break;
      case "heap":
        System.out.println(Runtime.getRuntime().maxMemory());
        break;
      case "wait":
        Thread.sleep(60_000);
        break;
      default:
        print(name, argument);
    }
  }

  public static void main(String... arguments) throws Exception {
    System.load(arguments[0]);
    for (int i = 1; i < arguments.length; i++) {
      String[] words = arguments[i].split("=", 2);
      run(words[0], words.length > 1 ? words[1] : "");
    }
    System.out.println("main ends");
  }
}
