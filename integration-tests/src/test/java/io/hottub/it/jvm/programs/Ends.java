// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.SimpleDateFormat;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.net.ssl.SSLContext;
import javax.xml.parsers.DocumentBuilderFactory;

/**
 * Ends at a moment and in a way that a seed chooses, while daemon threads use the class library.
 */
public class Ends {
  private static final int THREADS_MAX = 6;
  private static final double SHORTEST_US = 100;
  private static final double LONGEST_US = 300_000;

  private final Random random;

  private Ends(long seed) {
    random = new Random(seed);
  }

  /** The way is the status of an exit; of a halt, if it is even; 0 is the end of main. */
  public static void main(String[] args) throws Exception {
    Random random = new Random(Long.parseLong(args[0]));
    int threads = 1 + random.nextInt(THREADS_MAX);
    for (int i = 0; i < threads; i++) {
      Ends some = new Ends(random.nextLong());
      List<Callable<Object>> all = some.all();
      Callable<Object> one = all.get(random.nextInt(all.size()));
      daemon(() -> repeat(one)).start();
    }
    double us = SHORTEST_US * Math.pow(LONGEST_US / SHORTEST_US, random.nextDouble());
    TimeUnit.MICROSECONDS.sleep((long) us);
    int status = Integer.parseInt(args[1]);
    if (status % 2 == 1) {
      System.exit(status);
    } else if (status > 0) {
      Runtime.getRuntime().halt(status);
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    return thread;
  }

  private static void repeat(Callable<Object> work) {
    try {
      while (true) {
        work.call();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Callable<Object>> all() {
    return List.of(
        this::process,
        this::http,
        this::streams,
        this::loggers,
        this::dates,
        this::zips,
        this::ciphers,
        this::loaders,
        this::handles,
        this::proxies,
        this::files,
        this::timers,
        this::futures,
        this::schedulers,
        this::sockets,
        this::objects,
        this::patterns,
        this::cleaners,
        this::documents,
        SSLContext::getDefault);
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private Object process() throws Exception {
    Process process = new ProcessBuilder("/bin/true").start();
    byte[] out = process.getInputStream().readAllBytes();
    return random.nextBoolean() ? process.waitFor() : out;
  }

  private Object http() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    HttpRequest request = HttpRequest.newBuilder(address).build();
    Object answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    server.stop(0);
    return answer;
  }

  private Object streams() {
    return IntStream.range(0, 20_000)
        .parallel()
        .mapToObj(Integer::toString)
        .collect(Collectors.toConcurrentMap(text -> text, String::length));
  }

  private Object loggers() {
    Logger logger = Logger.getLogger("logger " + random.nextInt(50));
    logger.setUseParentHandlers(false);
    logger.addHandler(new StreamHandler(OutputStream.nullOutputStream(), new SimpleFormatter()));
    logger.info("message");
    return logger;
  }

  private Object dates() {
    Locale locale = any(List.of(Locale.GERMANY, Locale.FRANCE, Locale.JAPAN, Locale.ROOT));
    return new SimpleDateFormat("EEE MMM yyyy", locale).format(new Date())
        + DateTimeFormatter.ofPattern("EEEE", locale).format(LocalDate.now());
  }

  private Object zips() throws Exception {
    Path file = Files.createTempFile("ends", ".zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      out.putNextEntry(new ZipEntry("entry"));
      out.write(new byte[10_000]);
    }
    try (FileSystem zip = FileSystems.newFileSystem(file)) {
      return Files.size(zip.getPath("entry"));
    } finally {
      Files.delete(file);
    }
  }

  private Object ciphers() throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, KeyGenerator.getInstance("AES").generateKey());
    return cipher.doFinal(new byte[100]);
  }

  private Object loaders() throws Exception {
    var place = Ends.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {place}, ClassLoader.getPlatformClassLoader())) {
      return loader.loadClass("Ends").getDeclaredMethods();
    }
  }

  private Object handles() throws Exception {
    MethodType type = MethodType.methodType(int.class);
    MethodHandle handle = MethodHandles.lookup().findVirtual(String.class, "length", type);
    return MethodHandles.dropArguments(handle, 1, any(List.of(int.class, long.class, Ends.class)));
  }

  private Object proxies() {
    Class<?>[] types = {Runnable.class, Comparable.class, Callable.class};
    return Proxy.newProxyInstance(Ends.class.getClassLoader(), types, (proxy, name, args) -> null);
  }

  private Object files() throws Exception {
    Path folder = Files.createTempDirectory("ends");
    Path file = Files.writeString(folder.resolve("file"), "text");
    try (var all = Files.walk(folder)) {
      return all.count();
    } finally {
      Files.delete(file);
      Files.delete(folder);
    }
  }

  private Object timers() throws Exception {
    Thread.sleep(1); // each has a thread
    Timer timer = new Timer(true);
    TimerTask task =
        new TimerTask() {
          @Override
          public void run() {
            Thread.yield();
          }
        };
    timer.schedule(task, 0, 1);
    return timer;
  }

  private Object futures() {
    return CompletableFuture.supplyAsync(() -> 1)
        .thenApplyAsync(number -> number + 1)
        .orTimeout(100, TimeUnit.MILLISECONDS);
  }

  private Object schedulers() throws Exception {
    Thread.sleep(1); // each has threads
    var pool = new ScheduledThreadPoolExecutor(2, Ends::daemon);
    return pool.scheduleAtFixedRate(Thread::yield, 0, 50, TimeUnit.MICROSECONDS);
  }

  private Object sockets() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Socket one = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket other = server.accept()) {
      one.getOutputStream().write(1);
      return other.getInputStream().read();
    }
  }

  private Object objects() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(new ArrayList<>(List.of(new Date(), Locale.US)));
    return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }

  private Object patterns() {
    Pattern pattern = Pattern.compile("(\\p{L}+|\\d+) x" + random.nextInt());
    return pattern.matcher("some 12 x").find() + String.format("%08.3f", random.nextDouble());
  }

  private Object cleaners() throws Exception {
    Thread.sleep(1); // each has a thread
    Cleaner cleaner = Cleaner.create();
    for (int i = 0; i < 100; i++) {
      cleaner.register(new Object(), Thread::yield);
    }
    return ByteBuffer.allocateDirect(100_000);
  }

  private Object documents() throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream("<a><b/></a>".getBytes()));
  }
}
