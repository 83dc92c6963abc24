// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.LockSupport;

/** Does with native code what its second argument says; the first is the library, or "none". */
public class Natives {
  static native int count();

  static native int leaveOpen();

  static native void pin();

  static native void openService();

  static native void openNeeded();

  static native void openApart();

  static native void yield();

  static native void print();

  static native void thread(int kind);

  static native void loop();

  static native void sleep(int seconds);

  static native void call(String name);

  static native void callUnregistered(String name);

  static native void missing();

  static native void exit(int status);

  static native void exitProcess(int status);

  static native void crash();

  static native void abort();

  static native void fatal();

  static native int ignoreSignals();

  static native void callBack(String name);

  static native void keep(Object object);

  static native void register();

  static native int registered();

  static native void changeProcess();

  static native void changeLibrary();

  static native boolean giveUp(int kind);

  // ---- called by native code

  static void waitForEver() {
    while (true) {
      LockSupport.park();
    }
  }

  static void exitJava() {
    System.exit(5);
  }

  static void haltJava() {
    Runtime.getRuntime().halt(6);
  }

  static void nothing() {}

  /** A class of its own loader that loads the library. */
  public static class Loads implements Runnable {
    static native int count();

    @Override
    public void run() {
      System.load(System.getProperty("library"));
      System.out.println(Natives.Loads.class.getClassLoader().getClass());
    }
  }

  private static class OwnLoader extends ClassLoader {
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals("Natives$Loads")) {
        return super.loadClass(name, resolve);
      }
      try (InputStream in = Natives.class.getResourceAsStream("Natives$Loads.class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private static void yieldForEver() {
    while (true) {
      Natives.yield();
    }
  }

  private static void missForEver() {
    while (true) {
      try {
        missing();
      } catch (UnsatisfiedLinkError e) {
        // as expected
      }
    }
  }

  private static void daemon(Runnable body) throws InterruptedException {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    thread.start();
    for (int i = 0; i < 10_000 && !isInNativeCode(thread); i++) {
      Thread.sleep(1);
    }
    Thread.sleep(50);
  }

  /** In that of this class, or in what it has called. */
  private static boolean isInNativeCode(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.isNativeMethod() && frame.getClassName().equals("Natives")) {
        return true;
      }
    }
    return false;
  }

  private static void exitBesideEight(Runnable body) throws InterruptedException {
    for (int i = 0; i < 8; i++) {
      daemon(body);
    }
    System.exit(4);
  }

  public static void main(String[] args) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    System.out.println("main");
    if (args[1].equals("loader")) {
      System.setProperty("library", args[0]);
      Class<?> loads = new OwnLoader().loadClass("Natives$Loads");
      ((Runnable) loads.getDeclaredConstructor().newInstance()).run();
      return;
    }
    if (!args[0].equals("none")) {
      System.load(args[0]);
    }
    switch (args[1]) {
      case "nothing":
        break;
      case "references":
        keep(new Natives());
        break;
      case "register":
        try {
          System.out.println(registered());
        } catch (UnsatisfiedLinkError e) {
          System.out.println("not registered yet");
        }
        register();
        for (int i = 0; i < 20_000; i++) {
          registered();
        }
        System.out.println(registered());
        break;
      case "process-state":
        changeProcess();
        break;
      case "library-state":
        changeLibrary();
        Thread thread = new Thread(Natives::changeLibrary);
        thread.start();
        thread.join();
        break;
      case "give-up":
        System.exit(giveUp(Integer.parseInt(args[2])) ? 3 : 0);
        break;
      case "call-back":
        daemon(() -> callBack("nothing"));
        System.exit(4);
        break;
      case "crash-in-thread":
        thread(4);
        waitForEver();
        break;
      case "count":
        for (int i = 0; i < 20_000; i++) {
          count();
        }
        System.out.println(count());
        break;
      case "leave-open":
        System.out.println(leaveOpen());
        break;
      case "service":
        openService();
        break;
      case "service-and-needed":
        openService();
        openNeeded();
        break;
      case "apart":
        openApart();
        break;
      case "pin":
        pin();
        break;
      case "leave-open-killed":
        System.out.println(leaveOpen() + " waiting");
        waitForEver();
        break;
      case "yield":
        exitBesideEight(Natives::yieldForEver);
        break;
      case "missing":
        exitBesideEight(Natives::missForEver);
        break;
      case "print":
        print();
        break;
      case "print-killed":
        print();
        System.out.println("waiting");
        waitForEver();
        break;
      case "thread-ignores":
        thread(0);
        Thread.sleep(20);
        System.exit(3);
        break;
      case "thread-attached":
        thread(1);
        Thread.sleep(50);
        System.exit(3);
        break;
      case "thread-calls":
        thread(2);
        Thread.sleep(50);
        System.exit(3);
        break;
      case "thread-ends":
        thread(3);
        System.exit(3);
        break;
      case "loop":
        daemon(Natives::loop);
        System.exit(4);
        break;
      case "sleep":
        daemon(() -> sleep(1000));
        System.exit(4);
        break;
      case "sleep-compiled":
        daemon(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                sleep(0);
              }
              sleep(1000);
            });
        System.exit(4);
        break;
      case "call-waits":
        daemon(() -> call("waitForEver"));
        System.exit(4);
        break;
      case "call-unregistered":
        daemon(() -> callUnregistered("waitForEver"));
        System.exit(4);
        break;
      case "call-exit":
        call("exitJava");
        break;
      case "call-halt":
        call("haltJava");
        break;
      case "exit":
        exit(259);
        break;
      case "exit-process":
        exitProcess(7);
        break;
      case "crash":
        crash();
        break;
      case "abort":
        abort();
        break;
      case "fatal":
        fatal();
        break;
      case "signals":
        System.out.println(ignoreSignals());
        break;
      default:
        throw new IllegalArgumentException(args[1]);
    }
  }
}
