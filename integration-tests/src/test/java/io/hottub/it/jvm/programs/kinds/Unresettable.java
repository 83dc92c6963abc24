// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.ObjectName;
import jdk.internal.ref.CleanerFactory;
import sun.misc.Unsafe;

/** Changes that cannot be taken back; the argument says which. */
public class Unresettable {
  static class Blocks {
    @Override
    @SuppressWarnings("deprecation")
    protected void finalize() throws InterruptedException {
      synchronized (Unresettable.class) {
        started = true;
        Unresettable.class.notifyAll();
      }
      Thread.sleep(1_000_000);
    }
  }

  static final int CONSTANT = 5;
  static final String LITERAL = "literal, \u00e4";

  static boolean started;

  /** The class file Later, for a class of another name of the same length. */
  private static byte[] later(String name) throws Exception {
    String text = new String(Files.readAllBytes(Path.of("Later.class")), ISO_8859_1);
    return text.replace("kinds/Later", name).getBytes(ISO_8859_1);
  }

  /** Which a class of the class path names. */
  static void define() throws Exception {
    MethodHandles.lookup().defineClass(later("kinds/Later"));
    System.out.println(new LaterUser().get());
  }

  /** In a package to which the class path has something, too, but no class so far. */
  static void defineFirst() throws Exception {
    Method define =
        ClassLoader.class.getDeclaredMethod(
            "defineClass", String.class, byte[].class, int.class, int.class);
    define.setAccessible(true);
    byte[] bytes = later("LaterLaterX");
    define.invoke(Unresettable.class.getClassLoader(), null, bytes, 0, bytes.length);
    Class.forName("Small");
  }

  static void defineInLibrary() throws Exception {
    MethodHandles.privateLookupIn(java.io.File.class, MethodHandles.lookup())
        .defineClass(later("java/io/Ltr"));
  }

  /** More than is remembered. */
  static void defineMany() throws Exception {
    for (int i = 0; i < 1001; i++) {
      MethodHandles.lookup().defineClass(later(String.format("kinds/L%04d", i)));
    }
  }

  static void open() throws Exception {
    Method open = Module.class.getDeclaredMethod("implAddOpens", String.class);
    open.setAccessible(true);
    open.invoke(Object.class.getModule(), "java.util.regex");
  }

  /** A module of the run for the class loader of the application. */
  static void layer() {
    String name = "kinds.made.here";
    ModuleDescriptor module = ModuleDescriptor.newModule(name).packages(Set.of(name)).build();
    ModuleReference reference =
        new ModuleReference(module, null) {
          @Override
          public ModuleReader open() {
            throw new UnsupportedOperationException();
          }
        };
    ModuleFinder finder =
        new ModuleFinder() {
          @Override
          public Optional<ModuleReference> find(String wanted) {
            return wanted.equals(name) ? Optional.of(reference) : Optional.empty();
          }

          @Override
          public Set<ModuleReference> findAll() {
            return Set.of(reference);
          }
        };
    Configuration parts =
        ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of(name));
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    System.out.println(ModuleLayer.boot().defineModules(parts, n -> loader).modules());
  }

  /** Opened as a file, with jdk.image.map.all=false, by the first who reads a resource of it. */
  static void image() throws Exception {
    try (InputStream in = Object.class.getResourceAsStream("Object.class")) {
      System.out.println(in.readAllBytes().length);
    }
  }

  static void record() throws Exception {
    new jdk.jfr.Recording().start();
  }

  /** Where the JVM writes a log of its own. */
  static void logs() throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "vmLog",
            new Object[] {new String[] {"disable"}},
            new String[] {String[].class.getName()});
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

  /** Whoever locked it is no more. */
  static void lock() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Thread locks = new Thread(lock::lock);
    locks.start();
    locks.join();
    putAmongOpenZipFiles(lock);
  }

  /** As if a thread had ended between the two tables in which a library is entered. */
  static void library() throws Exception {
    Field names =
        Class.forName("jdk.internal.loader.NativeLibraries").getDeclaredField("loadedLibraryNames");
    names.setAccessible(true);
    @SuppressWarnings("unchecked")
    Set<String> all = (Set<String>) names.get(null);
    all.add("/nowhere/libsome.so");
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

  /** A thread waits in the class library, in the middle of an entry of a table. */
  static void inside() throws Exception {
    Path fifo = Path.of("fifo");
    Files.deleteIfExists(fifo);
    new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
    Method get =
        Class.forName("jdk.internal.jimage.ImageReaderFactory").getMethod("get", Path.class);
    Thread opens =
        new Thread(
            () -> {
              try {
                get.invoke(null, fifo);
              } catch (ReflectiveOperationException e) {
                System.out.println("WRONG: " + e.getCause());
              }
            });
    opens.setDaemon(true);
    opens.start();
    Thread.sleep(200);
  }

  @SuppressWarnings({"deprecation", "removal"})
  static void stop() throws Exception {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("Finalizer")) {
        thread.stop();
        thread.join();
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

  private static Field ofString(String name) throws Exception {
    Field field = String.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  static void literal() throws Exception {
    byte[] value = (byte[]) ofString("value").get(LITERAL);
    value[0] = 'L';
  }

  /** Also the hash code, so that the string seems to be one that nobody has looked at. */
  static void newLiteral() throws Exception {
    literal();
    ofString("hash").setInt(LITERAL, 0);
  }

  static void noLiteral() throws Exception {
    ofString("value").set(LITERAL, new byte[0]);
    ofString("hash").setInt(LITERAL, 0);
    ofString("hashIsZero").setBoolean(LITERAL, true);
  }

  static void hash() throws Exception {
    ofString("hash").setInt(LITERAL, 1);
  }

  /** Of a class, which no class file has as a literal. */
  static void name() throws Exception {
    byte[] value = (byte[]) ofString("value").get(Blocks.class.getName());
    value[0] = 'K';
  }

  static void constant() throws Exception {
    Field constant = Unresettable.class.getDeclaredField("CONSTANT");
    Unsafe unsafe = Loaders.unsafe();
    unsafe.putInt(unsafe.staticFieldBase(constant), unsafe.staticFieldOffset(constant), 6);
  }

  /** Of a class that is never reset. */
  static void constantOfLibrary() throws Exception {
    Field constant = java.lang.invoke.MethodHandleInfo.class.getDeclaredField("REF_getField");
    Unsafe unsafe = Loaders.unsafe();
    unsafe.putInt(unsafe.staticFieldBase(constant), unsafe.staticFieldOffset(constant), 6);
  }

  static void text() throws Exception {
    Field constant = Unresettable.class.getDeclaredField("LITERAL");
    Unsafe unsafe = Loaders.unsafe();
    unsafe.putObject(unsafe.staticFieldBase(constant), unsafe.staticFieldOffset(constant), "x");
  }

  private static void write(Class<?> holder, Object value, Object other) throws Exception {
    Loaders.unsafe().putObject(holder, Loaders.offset(holder, value), other);
  }

  static void module() throws Exception {
    write(Left.class, Left.class.getModule(), Object.class.getModule());
  }

  static void className() throws Exception {
    write(Left.class, Left.class.getName(), "Right");
  }

  static void classLoader() throws Exception {
    write(Left.class, Left.class.getClassLoader(), null);
  }

  static void component() throws Exception {
    write(String[].class, String.class, Left.class);
  }

  static String show() throws Exception {
    StringBuilder later = new StringBuilder();
    for (String name : List.of("kinds.Later", "kinds.L1000", "LaterLaterX", "java.io.Ltr")) {
      try {
        later.append(Class.forName(name).getName());
      } catch (ClassNotFoundException e) {
        later.append("none, ");
      }
    }
    String groups;
    try {
      java.util.regex.Pattern.class.getDeclaredField("pattern").setAccessible(true);
      groups = "open";
    } catch (RuntimeException e) {
      groups = "closed";
    }
    String strings = LITERAL + LITERAL.hashCode() + Blocks.class.getName();
    return later + ", " + groups + ", " + strings + ", " + jdk.jfr.FlightRecorder.isInitialized();
  }

  public static void main(String[] args) throws Exception {
    System.out.println("before: " + show());
    Unresettable.class.getDeclaredMethod(args[0]).invoke(null);
    System.out.println("after: " + show());
    System.exit(3);
  }
}
