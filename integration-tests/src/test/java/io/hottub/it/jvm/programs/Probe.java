// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.io.FileWriter;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.Security;
import java.text.NumberFormat;
import java.util.Arrays;
import java.util.Locale;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** Prints all state of its JVM and its process that a run before could have changed. */
@SuppressWarnings({"deprecation", "removal"}) // what there is, it shows
public class Probe {
  static final ThreadLocal<String> LOCAL = new ThreadLocal<>();

  static void show(String name, Callable<?> value) {
    String text;
    try {
      Object v = value.call();
      text = v instanceof Object[] array ? Arrays.toString(array) : String.valueOf(v);
    } catch (Throwable e) {
      text = "throws " + e;
    }
    System.out.println(name + ": " + text.replace("\r", "\\r").replace("\n", "\\n"));
  }

  static String nameOf(Object o) {
    return o == null ? "null" : o.getClass().getName();
  }

  static void process() {
    show("properties", () -> new TreeMap<>(System.getProperties()));
    show("environment", () -> new TreeMap<>(System.getenv()));
    show("cwd of File", () -> new File("x").getAbsolutePath());
    show("cwd of Path", () -> Path.of("x").toAbsolutePath());
    show("canonical", () -> new File("../x").getCanonicalPath());
    show("real", () -> Path.of(".").toRealPath());
    show("exists by File", () -> new File("marker").exists());
    show("exists by Path", () -> Files.exists(Path.of("marker")));
    show("reads by Path", () -> Files.readString(Path.of("marker")));
    show("reads by File", () -> new java.io.FileReader("marker").read());
    show("left over", () -> new File("delete-on-exit").exists());
    show(
        "lock",
        () -> {
          Path file = Path.of("locked");
          try (FileChannel channel =
              FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            return channel.tryLock() != null;
          }
        });
    show(
        "umask",
        () -> {
          try (FileWriter writer = new FileWriter("new-file")) {
            writer.write("x");
          }
          Path file = Path.of("new-file");
          return Files.getPosixFilePermissions(file).stream().sorted().toList();
        });
    show("temporary file", () -> File.createTempFile("pre", "post").getParent());
    show("temporary path", () -> Files.createTempFile("pre", "post").getParent());
    show("stdin", () -> new String(System.in.readAllBytes()));
    show("console", System::console);
    show("encoding", java.nio.charset.Charset::defaultCharset);
    show("status", () -> status("Umask|SigIgn|SigBlk"));
    show(
        "child",
        () -> {
          Process child =
              new ProcessBuilder("sh", "-c", "pwd; umask; echo $MARK; ls -l /proc/self/fd | wc -l")
                  .redirectErrorStream(true)
                  .start();
          return new String(child.getInputStream().readAllBytes()) + child.waitFor();
        });
  }

  static Object status(String names) throws Exception {
    return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
        .filter(line -> line.matches("(" + names + "):.*"))
        .toList();
  }

  static void threads() {
    Thread main = Thread.currentThread();
    show("main", () -> main + " " + main.getId() + " " + main.getPriority());
    show("main interrupted", Thread::interrupted);
    show("loader", () -> nameOf(main.getContextClassLoader()));
    show("local", LOCAL::get);
    show("handler", () -> Thread.getDefaultUncaughtExceptionHandler());
    show("own handler", () -> nameOf(main.getUncaughtExceptionHandler()));
    show("new thread", () -> new Thread(() -> {}).getName());
    show("new id", () -> new Thread("x").getId() - new Thread("y").getId());
    show("id of a new thread", () -> new Thread("x").getId());
    show("pool thread", () -> thread(Executors.newFixedThreadPool(1)));
    show("common pool", () -> commonPoolThread());
    show(
        "groups",
        () -> {
          ThreadGroup[] groups = new ThreadGroup[10];
          int count = main.getThreadGroup().enumerate(groups);
          return count + " " + main.getThreadGroup().getMaxPriority();
        });
    show("thread count", () -> main.getThreadGroup().activeCount());
    show(
        "threads",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .map(t -> t.getName() + (t.isDaemon() ? " daemon " : " ") + t.getPriority())
                .sorted()
                .toList());
    show("stack", () -> Arrays.toString(new Throwable().getStackTrace()));
  }

  /** Without joining it: the joining thread may run the task itself. */
  static String commonPoolThread() throws Exception {
    ForkJoinTask<String> task =
        ForkJoinPool.commonPool().submit(() -> Thread.currentThread().getName());
    for (int i = 0; i < 10_000 && !task.isDone(); i++) {
      Thread.sleep(1);
    }
    return task.getRawResult();
  }

  static String thread(java.util.concurrent.ExecutorService service) throws Exception {
    try {
      return service.submit(() -> Thread.currentThread().getName()).get();
    } finally {
      service.shutdown();
      service.awaitTermination(10, java.util.concurrent.TimeUnit.SECONDS);
    }
  }

  static void network(int port) {
    show(
        "port",
        () -> {
          try (ServerSocket server = new ServerSocket(port, 5, InetAddress.getLoopbackAddress())) {
            return server.isBound();
          }
        });
    show("redirects", HttpURLConnection::getFollowRedirects);
    show("caches", () -> URLConnection.getDefaultUseCaches("jar"));
    show("type", () -> URLConnection.guessContentTypeFromName("a.html"));
    show("authenticator", Authenticator::getDefault);
    show("cookies", CookieHandler::getDefault);
    show("proxies", () -> nameOf(ProxySelector.getDefault()));
    show("resource", () -> Probe.class.getResourceAsStream("Probe.class").readAllBytes().length);
    show(
        "factory",
        () -> {
          URL.setURLStreamHandlerFactory(protocol -> null);
          return "could be set";
        });
    show("url", () -> new URL("file:/x"));
  }

  static void rest() {
    show("locale", () -> Locale.getDefault() + " " + Locale.getDefault(Locale.Category.FORMAT));
    show("upper", () -> "title".toUpperCase());
    show("number", () -> NumberFormat.getInstance().format(1234.5));
    show("format", () -> String.format("%,.2f%n", 1234.5));
    show("zone", () -> TimeZone.getDefault().getID());
    show("time", () -> new java.util.Date(0));
    show("providers", () -> Arrays.toString(Security.getProviders()));
    show("cipher", () -> javax.crypto.Cipher.getInstance("AES").getProvider());
    show("security property", () -> Security.getProperty("networkaddress.cache.ttl"));
    show("security manager", System::getSecurityManager);
    show(
        "direct memory",
        () -> {
          ByteBuffer[] buffers = new ByteBuffer[40];
          for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocateDirect(1 << 20);
          }
          return buffers.length;
        });
    show(
        "buffer pools",
        () ->
            ManagementFactory.getPlatformMXBeans(java.lang.management.BufferPoolMXBean.class)
                .stream()
                .map(b -> b.getName() + " " + b.getCount() + " " + b.getMemoryUsed())
                .toList());
    show("log level", () -> Logger.getLogger("").getLevel());
    show("log handlers", () -> Logger.getLogger("").getHandlers().length);
    show(
        "beans",
        () ->
            ManagementFactory.getPlatformMBeanServer().queryNames(null, null).stream()
                .map(Object::toString)
                .sorted()
                .collect(Collectors.joining(" ")));
    show(
        "contention",
        () -> ManagementFactory.getThreadMXBean().isThreadContentionMonitoringEnabled());
    show("arguments", () -> ManagementFactory.getRuntimeMXBean().getInputArguments());
    show("class path", () -> ManagementFactory.getRuntimeMXBean().getClassPath());
    for (String flag : new String[] {"MinHeapFreeRatio", "HeapDumpOnOutOfMemoryError"}) {
      show(
          flag,
          () ->
              ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class)
                  .getVMOption(flag)
                  .toString());
    }
    show("assertions", () -> Loaded.class.desiredAssertionStatus());
    show(
        "assertions by default",
        () -> {
          Probe.class.getClassLoader().setClassAssertionStatus("none", true);
          return Probe.class.desiredAssertionStatus();
        });
    show("packages", () -> Probe.class.getPackage() + " " + Package.getPackages().length / 1000);
    show("login timeout", java.sql.DriverManager::getLoginTimeout);
    show(
        "tls",
        () ->
            nameOf(javax.net.ssl.SSLContext.getDefault())
                + javax.net.ssl.SSLContext.getDefault().getProtocol());
    show("method", () -> method());
    show("xml", () -> xml());
    show("random", () -> new java.util.Random(1).nextInt());
    show(
        "lookup",
        () ->
            java.util.ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class).stream()
                .map(p -> p.type().getName())
                .toList());
  }

  static class Loaded {}

  static String method() throws Exception {
    Method method = Probe.class.getDeclaredMethod("method");
    method.setAccessible(true);
    return method.getName() + method.isAccessible();
  }

  static String xml() throws Exception {
    return javax.xml.parsers.DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new org.xml.sax.InputSource(new StringReader("<a><b/></a>")))
        .getDocumentElement()
        .getFirstChild()
        .getNodeName();
  }

  public static void main(String[] args) {
    process();
    threads();
    network(Integer.parseInt(args[0]));
    rest();
    System.out.print("no line break at the end");
    System.err.print("error output");
  }
}
