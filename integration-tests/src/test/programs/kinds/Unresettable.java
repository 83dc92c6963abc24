// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.ref.CleanerFactory;

/** Changes that cannot be taken back; the argument says which. */
public class Unresettable {
  static class Blocks {
    @Override
    @SuppressWarnings("removal")
    protected void finalize() throws InterruptedException {
      synchronized (Unresettable.class) {
        started = true;
        Unresettable.class.notifyAll();
      }
      Thread.sleep(1_000_000);
    }
  }

  static boolean started;

  /** A class in the application's loader that is not on the class path. */
  static void define() throws Exception {
    byte[] bytes = Files.readAllBytes(Path.of("Later.class"));
    MethodHandles.lookup().defineClass(bytes);
  }

  static void open() throws Exception {
    Method open = Module.class.getDeclaredMethod("implAddOpens", String.class);
    open.setAccessible(true);
    open.invoke(Object.class.getModule(), "java.util.regex");
  }

  static void record() throws Exception {
    new jdk.jfr.Recording().start();
  }

  static class Left {}

  /** Into a table of the class library that has to outlive runs. */
  private static void putAmongOpenZipFiles(Object o) throws Exception {
    var files = Class.forName("java.util.zip.ZipFile$Source").getDeclaredField("files");
    files.setAccessible(true);
    @SuppressWarnings("unchecked")
    Map<Object, Object> table = (Map<Object, Object>) files.get(null);
    table.put(o, o);
  }

  static void keep() throws Exception {
    putAmongOpenZipFiles(new Left());
  }

  static void loader() throws Exception {
    URL path = Unresettable.class.getProtectionDomain().getCodeSource().getLocation();
    URLClassLoader loader = new URLClassLoader(new URL[] {path}, null);
    loader.loadClass(Left.class.getName());
    putAmongOpenZipFiles(loader);
  }

  static void finalizer() throws Exception {
    new Blocks();
    synchronized (Unresettable.class) {
      while (!started) {
        System.gc();
        Unresettable.class.wait(10);
      }
    }
  }

  /** Some of them run on the thread of the class library, which ignores what they throw. */
  static void cleaner() throws Exception {
    for (int i = 0; i < 40; i++) {
      CleanerFactory.cleaner()
          .register(
              new Object(),
              () -> {
                LockSupport.parkNanos(1_000_000);
                throw new IllegalStateException("thrown by a cleaner");
              });
    }
  }

  static String show() throws Exception {
    String later;
    try {
      later = Class.forName("kinds.Later").getName();
    } catch (ClassNotFoundException e) {
      later = "none";
    }
    String groups;
    try {
      java.util.regex.Pattern.class.getDeclaredField("pattern").setAccessible(true);
      groups = "open";
    } catch (RuntimeException e) {
      groups = "closed";
    }
    return later + ", " + groups + ", " + jdk.jfr.FlightRecorder.isInitialized();
  }

  public static void main(String[] args) throws Exception {
    System.out.println("before: " + show());
    Unresettable.class.getDeclaredMethod(args[0]).invoke(null);
    System.out.println("after: " + show());
    System.exit(3);
  }
}
