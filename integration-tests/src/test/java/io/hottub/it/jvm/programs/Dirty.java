// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ForkJoinPool;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.management.ObjectName;

/** Changes everything that a program can change in its JVM, and ends with all of it in use. */
public class Dirty {
  static final ThreadLocal<String> LOCAL = new ThreadLocal<>();
  static final List<Object> KEPT = new ArrayList<>();

  public interface BeanMBean {}

  public static class Bean implements BeanMBean {}

  static class OwnProvider extends Provider {
    private static final long serialVersionUID = 1;

    OwnProvider() {
      super("Own", "1", "of the test");
    }
  }

  static void hang() {
    try {
      Thread.sleep(1_000_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static void properties() {
    System.setProperty("dirty", "yes");
    System.setProperty("user.dir", "/nowhere");
    System.setProperty("java.io.tmpdir", "/nowhere");
    System.setProperty("user.home", "/nowhere");
    System.setProperty("line.separator", "\r\n");
    System.setProperty("java.util.logging.SimpleFormatter.format", "dirty%n");
    System.clearProperty("java.version");
    Locale.setDefault(Locale.forLanguageTag("tr-TR"));
    Locale.setDefault(Locale.Category.FORMAT, Locale.GERMANY);
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
    System.getProperties().put(new Object(), new Object());
  }

  static void threads() throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.err.println("dirty handler"));
    Thread main = Thread.currentThread();
    main.setName("renamed");
    main.setPriority(7);
    main.setContextClassLoader(new URLClassLoader(new URL[0]));
    main.setUncaughtExceptionHandler((t, e) -> {});
    LOCAL.set("dirty");
    ThreadGroup group = new ThreadGroup("dirty group");
    group.setMaxPriority(3);
    main.getThreadGroup().setMaxPriority(8);
    for (int i = 0; i < 5; i++) {
      Thread thread = new Thread(group, Dirty::hang, "leaked " + i);
      thread.setDaemon(i % 2 == 0);
      thread.start();
    }
    for (int i = 0; i < 3; i++) {
      new Thread(Dirty::hang).start();
    }
    new Timer("dirty timer")
        .schedule(
            new TimerTask() {
              @Override
              public void run() {}
            },
            1,
            1);
    ForkJoinPool.commonPool().submit(Dirty::hang);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> LOCAL.set("hook")));
    main.interrupt();
    Thread.interrupted();
  }

  static void network(int port) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    ServerSocket server = new ServerSocket(port, 5, loopback);
    KEPT.add(server);
    KEPT.add(new Socket(loopback, port));
    KEPT.add(server.accept());
    Selector selector = Selector.open();
    KEPT.add(selector);
    Thread blocked =
        new Thread(
            () -> {
              try {
                server.accept();
              } catch (java.io.IOException e) {
                System.out.println("WRONG: " + e);
              }
            });
    blocked.start();
    Thread selecting =
        new Thread(
            () -> {
              try {
                selector.select();
              } catch (java.io.IOException e) {
                System.out.println("WRONG: " + e);
              }
            });
    selecting.start();
    URL.setURLStreamHandlerFactory(protocol -> null);
    HttpURLConnection.setFollowRedirects(false);
    URLConnection.setDefaultUseCaches("jar", false);
    URLConnection.setFileNameMap(name -> "dirty");
    Authenticator.setDefault(new Authenticator() {});
    CookieHandler.setDefault(new CookieManager());
    ProxySelector.setDefault(null);
  }

  static void files() throws Exception {
    for (int i = 0; i < 20; i++) {
      KEPT.add(new FileInputStream("/dev/null"));
      KEPT.add(FileChannel.open(Path.of("/dev/null"), StandardOpenOption.READ));
    }
    File file = new File("delete-on-exit");
    file.createNewFile();
    file.deleteOnExit();
    FileChannel locked =
        FileChannel.open(Path.of("locked"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    KEPT.add(locked.lock());
    Files.writeString(Path.of("mapped"), "x".repeat(100_000));
    FileChannel mapped = FileChannel.open(Path.of("mapped"));
    KEPT.add(mapped.map(FileChannel.MapMode.READ_ONLY, 0, 100_000));
    KEPT.add(Files.newDirectoryStream(Path.of(".")));
    KEPT.add(new java.util.zip.ZipFile("some.zip"));
    KEPT.add(Runtime.getRuntime().exec(new String[] {"true"}));
  }

  static void rest() throws Exception {
    for (int i = 0; i < 40; i++) {
      KEPT.add(ByteBuffer.allocateDirect(1 << 20));
    }
    Security.insertProviderAt(new OwnProvider(), 1);
    Security.removeProvider("SunJCE");
    Security.setProperty("networkaddress.cache.ttl", "17");
    Logger root = Logger.getLogger("");
    root.setLevel(Level.FINEST);
    root.addHandler(new ConsoleHandler());
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new Bean(), new ObjectName("dirty:type=Bean"));
    ManagementFactory.getMemoryMXBean().setVerbose(false);
    ManagementFactory.getThreadMXBean().setThreadContentionMonitoringEnabled(true);
    var flags =
        ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
    flags.setVMOption("MinHeapFreeRatio", "11");
    flags.setVMOption("HeapDumpOnOutOfMemoryError", "true");
    ClassLoader.getSystemClassLoader().setDefaultAssertionStatus(true);
    ClassLoader.getSystemClassLoader().setPackageAssertionStatus("a.b", true);
    ClassLoader.getSystemClassLoader().setClassAssertionStatus("Probe$Loaded", true);
    java.util.ResourceBundle.clearCache();
    javax.net.ssl.SSLContext.setDefault(javax.net.ssl.SSLContext.getInstance("TLS"));
    java.sql.DriverManager.setLoginTimeout(77);
    System.setIn(InputStream.nullInputStream());
    KEPT.add(new Object[1 << 20]);
  }

  public static void main(String[] args) throws Exception {
    properties();
    threads();
    network(Integer.parseInt(args[0]));
    files();
    rest();
    System.out.println("dirty");
    System.setOut(new PrintStream(System.err));
    System.out.close();
    System.err.close();
    System.in.close();
    System.exit(Integer.parseInt(args[1]));
  }
}
