// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;

/** Ends while native code that the foreign linker (an incubator module) has called waits for it. */
public class Upcalls {
  static void exits() {
    System.exit(3);
  }

  static void fails() {
    throw new IllegalStateException("in native code");
  }

  static void sleeps() {
    System.out.println("sleeps");
    try {
      Thread.sleep(60_000);
    } catch (InterruptedException e) {
      System.out.println("WRONG: interrupted");
    }
  }

  static void returns() {
    System.out.println("returns");
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName("jdk.incubator.foreign." + name);
  }

  private static MethodHandle throughNativeCode(String method) throws Exception {
    MethodType none = MethodType.methodType(void.class);
    Object linker = type("CLinker").getMethod("getInstance").invoke(null);
    Object layouts = Array.newInstance(type("MemoryLayout"), 0);
    Object function =
        type("FunctionDescriptor").getMethod("ofVoid", layouts.getClass()).invoke(null, layouts);
    Object scope = type("ResourceScope").getMethod("globalScope").invoke(null);
    Object stub =
        type("CLinker")
            .getMethod(
                "upcallStub", MethodHandle.class, type("FunctionDescriptor"), type("ResourceScope"))
            .invoke(
                linker,
                MethodHandles.lookup().findStatic(Upcalls.class, method, none),
                function,
                scope);
    return (MethodHandle)
        type("CLinker")
            .getMethod(
                "downcallHandle", type("Addressable"), MethodType.class, type("FunctionDescriptor"))
            .invoke(linker, stub, none, function);
  }

  public static void main(String... args) throws Throwable {
    MethodHandle call = throughNativeCode(args[0]);
    if (!args[0].equals("sleeps")) {
      call.invokeExact();
      return;
    }
    Thread thread =
        new Thread(
            () -> {
              try {
                call.invokeExact();
              } catch (Throwable e) {
                System.out.println("WRONG: " + e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    System.out.println("main");
  }
}
