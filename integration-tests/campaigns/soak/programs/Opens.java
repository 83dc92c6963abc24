// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/**
 * Opens and starts a bit of everything, closes none of it, and ends in the way that its argument
 * names.
 */
public class Opens {
  /** How often it has been seen by this run; a class of another loader. */
  public static class Counted {
    static int count;

    public static int count() {
      return ++count;
    }
  }

  static final List<Object> open = new ArrayList<>();
  static final Thread hook = new Thread(() -> System.out.println("hook"));
  static int runs;

  static void descriptors() throws Exception {
    File file = File.createTempFile("opens", ".tmp");
    file.deleteOnExit();
    open.add(new FileInputStream(file));
    RandomAccessFile random = new RandomAccessFile(file, "rw");
    open.add(random);
    open.add(random.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 20).put(5, (byte) 5));
    ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
    open.add(server.accept());
    open.add(client);
    Selector selector = Selector.open();
    ServerSocketChannel channel = ServerSocketChannel.open();
    channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    channel.configureBlocking(false);
    channel.register(selector, 16);
    open.add(selector);
    open.add(Pipe.open());
    open.add(Files.newDirectoryStream(Path.of(".")));
    open.add(FileSystems.getDefault().newWatchService());
    for (int i = 0; i < 8; i++) {
      open.add(ByteBuffer.allocateDirect(1 << 20));
    }
    client.getOutputStream().write(7);
    System.out.println("read " + ((Socket) open.get(3)).getInputStream().read());
  }

  static void threads() {
    var pool = Executors.newFixedThreadPool(4);
    for (int i = 0; i < 8; i++) {
      pool.submit(() -> open.size());
    }
    new Timer("timer", true)
        .schedule(
            new TimerTask() {
              @Override
              public void run() {}
            },
            1,
            1);
    for (int i = 0; i < 10; i++) {
      Thread daemon =
          new Thread(
              () -> {
                try {
                  Thread.sleep(1_000_000);
                } catch (InterruptedException e) {
                  System.out.println("WRONG: interrupted");
                }
              });
      daemon.setDaemon(true);
      daemon.start();
    }
    System.out.println(
        "sum "
            + IntStream.range(0, 10_000).parallel().sum()
            + ", "
            + CompletableFuture.supplyAsync(() -> 6 * 7).join());
  }

  static void classes() throws Exception {
    URL own = Opens.class.getProtectionDomain().getCodeSource().getLocation();
    for (int i = 0; i < 5; i++) {
      URLClassLoader loader = new URLClassLoader(new URL[] {own}, null);
      Object count = loader.loadClass("Opens$Counted").getMethod("count").invoke(null);
      open.add(loader);
      System.out.print(count + " ");
    }
    System.out.println(Counted.count() + " " + ++runs);
    try (InputStream in = Opens.class.getResourceAsStream("Opens.class")) {
      System.out.println("magic " + Integer.toHexString(in.read()));
    }
  }

  static void globals() {
    System.out.println(System.getProperty("soak.seen") + " " + Logger.getLogger("soak").getLevel());
    System.setProperty("soak.seen", "1");
    Logger.getLogger("soak").setLevel(java.util.logging.Level.FINE);
    Thread.setDefaultUncaughtExceptionHandler(
        (t, e) -> {
          System.out.println("handler: " + e);
          System.exit(23);
        });
    Runtime.getRuntime().addShutdownHook(hook);
  }

  public static void main(String[] args) throws Exception {
    globals();
    descriptors();
    threads();
    classes();
    switch (args[0]) {
      case "exit":
        System.exit(21);
        break;
      case "halt":
        Runtime.getRuntime().halt(22);
        break;
      case "throw":
        throw new IllegalStateException("thrown");
      case "direct-memory":
        while (true) {
          open.add(ByteBuffer.allocateDirect(16 << 20));
        }
      case "heap":
        open.add(new long[1 << 28]);
        break;
      case "exit-in-hook":
        // As on every JVM this waits for itself; the client is killed. Hooks run side by side.
        Runtime.getRuntime().removeShutdownHook(hook);
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      System.out.println("waiting");
                      System.exit(1);
                    }));
        System.exit(24);
        break;
      default:
        System.out.println("waiting");
        Thread.sleep(1_000_000);
    }
  }
}
