// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.ReferenceQueue;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.zip.Deflater;

/**
 * Exits with status 12 while threads are where its arguments say. None of them may run on: each
 * would say so in a finally block.
 *
 * <p>The first argument is {@code exit}, {@code halt}, {@code return} (all threads are daemons), or
 * {@code stay} (until a signal comes); the second how many threads of each kind.
 */
public class Blocks {
  private interface Block {
    void enter() throws Exception;
  }

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final Object MONITOR = new Object();
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final ReentrantReadWriteLock READ_WRITE = new ReentrantReadWriteLock();
  private static CountDownLatch ready;
  private static final AtomicLong NUMBER = new AtomicLong();
  private static volatile long sink;

  private static void wrong(String what) {
    System.out.println("WRONG: " + what);
    System.out.flush();
  }

  private static void here() {
    ready.countDown();
  }

  private static Socket connected() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK)) {
      Socket socket = new Socket(LOOPBACK, server.getLocalPort());
      Socket kept = server.accept();
      KEPT.add(kept);
      return socket;
    }
  }

  private static final java.util.Queue<Object> KEPT =
      new java.util.concurrent.ConcurrentLinkedQueue<>();

  private static SocketChannel connectedChannel() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new java.net.InetSocketAddress(LOOPBACK, 0));
      SocketChannel channel = SocketChannel.open(server.getLocalAddress());
      KEPT.add(server.accept());
      return channel;
    }
  }

  private static Block block(String kind) {
    switch (kind) {
      case "socket-read":
        return () -> {
          InputStream in = connected().getInputStream();
          here();
          in.read();
        };
      case "socket-write":
        return () -> {
          var out = connected().getOutputStream();
          here();
          while (true) {
            out.write(new byte[1 << 16]);
          }
        };
      case "socket-accept":
        return () -> {
          try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK)) {
            here();
            server.accept();
          }
        };
      case "socket-connect":
        return () -> {
          // Nobody accepts: as soon as the queue is full, connect waits.
          ServerSocket server = new ServerSocket(0, 1, LOOPBACK);
          KEPT.add(server);
          here();
          while (true) {
            KEPT.add(new Socket(LOOPBACK, server.getLocalPort()));
          }
        };
      case "datagram-receive":
        return () -> {
          try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
            here();
            socket.receive(new DatagramPacket(new byte[9], 9));
          }
        };
      case "channel-read":
        return () -> {
          SocketChannel channel = connectedChannel();
          here();
          channel.read(ByteBuffer.allocate(9));
        };
      case "channel-accept":
        return () -> {
          try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new java.net.InetSocketAddress(LOOPBACK, 0));
            here();
            server.accept();
          }
        };
      case "channel-receive":
        return () -> {
          try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new java.net.InetSocketAddress(LOOPBACK, 0));
            here();
            channel.receive(ByteBuffer.allocate(9));
          }
        };
      case "pipe-read":
        return () -> {
          Pipe pipe = Pipe.open();
          KEPT.add(pipe.sink());
          here();
          pipe.source().read(ByteBuffer.allocate(9));
        };
      case "pipe-write":
        return () -> {
          Pipe pipe = Pipe.open();
          KEPT.add(pipe.source());
          here();
          while (true) {
            pipe.sink().write(ByteBuffer.allocate(1 << 16));
          }
        };
      case "select":
        return () -> {
          try (Selector selector = Selector.open()) {
            here();
            while (true) {
              selector.select();
            }
          }
        };
      case "watch":
        return () -> {
          var watch = FileSystems.getDefault().newWatchService();
          Path.of(".").register(watch, StandardWatchEventKinds.ENTRY_DELETE);
          here();
          watch.take();
        };
      case "process":
        return () -> {
          Process process = new ProcessBuilder("cat").start();
          here();
          process.waitFor();
        };
      case "process-output":
        return () -> {
          Process process = new ProcessBuilder("cat").start();
          here();
          process.getInputStream().read();
        };
      case "process-input":
        return () -> {
          Process process = new ProcessBuilder("cat").start(); // nobody reads its output
          OutputStream out = process.getOutputStream();
          here();
          while (true) {
            out.write(new byte[1 << 16]);
          }
        };
      case "stdin":
        return () -> {
          here();
          System.in.read();
        };
      case "fifo-read":
        return () -> {
          try (FileInputStream in = new FileInputStream("/dev/fd/0")) {
            here();
            in.read();
          }
        };
      case "fifo-open":
        return () -> {
          here();
          new FileInputStream("fifo").close();
        };
      case "file-lock":
        return () -> {
          // Held by the test; two threads of one JVM must not ask for the same.
          long position = NUMBER.getAndIncrement();
          try (FileChannel channel =
              FileChannel.open(Path.of("locked"), StandardOpenOption.WRITE)) {
            here();
            channel.lock(position, 1, false);
          }
        };
      case "reference-queue":
        return () -> {
          ReferenceQueue<Object> queue = new ReferenceQueue<>();
          here();
          while (true) {
            try {
              queue.remove();
            } catch (InterruptedException e) {
              wrong("interrupted");
            }
          }
        };
      case "sleep-loop":
        return () -> {
          here();
          while (true) {
            try {
              Thread.sleep(3);
            } catch (InterruptedException e) {
              wrong("interrupted");
            }
          }
        };
      case "park-loop":
        return () -> {
          here();
          while (true) {
            LockSupport.park();
            Thread.interrupted();
          }
        };
      case "wait":
        return () -> {
          Object own = new Object();
          synchronized (own) {
            here();
            own.wait();
          }
        };
      case "monitor":
        return () -> {
          here();
          synchronized (MONITOR) {
            wrong("monitor");
          }
        };
      case "monitor-write":
        return () -> {
          // Straight from the monitor into native code, all call sites being resolved.
          writeUnder(new Object(), new byte[0]);
          byte[] text = "WRONG: written under a monitor\n".getBytes();
          here();
          writeUnder(MONITOR, text);
        };
      case "lock":
        return () -> {
          here();
          LOCK.lock();
        };
      case "read-lock":
        return () -> {
          here();
          READ_WRITE.readLock().lock();
        };
      case "queue":
        return () -> {
          here();
          new SynchronousQueue<Object>().poll(1, TimeUnit.DAYS);
        };
      case "exchanger":
        return () -> {
          here();
          new Exchanger<Object>().exchange("");
        };
      case "join":
        return () -> {
          Thread main = Thread.currentThread();
          here();
          main.join();
        };
      case "fork-join":
        return () -> {
          new ForkJoinPool(2)
              .submit(
                  () -> {
                    here();
                    LockSupport.park();
                  })
              .get();
        };
      case "initializer":
        return () -> {
          here();
          Initializer.touch();
        };
      case "spin":
        return () -> {
          here();
          long x = 0;
          while (true) {
            x += System.nanoTime();
            sink = x;
          }
        };
      case "spin-silent":
        return () -> {
          here();
          boolean always = sink < Long.MAX_VALUE;
          while (always) {}
        };
      case "spin-counted":
        return () -> {
          long x = spinCounted(2_000);
          here();
          while (true) {
            sink += x += spinCounted(10_000_000);
          }
        };
      case "deflate":
        return () -> {
          byte[] in = new byte[1 << 24];
          byte[] out = new byte[1 << 24];
          here();
          while (true) {
            Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
            deflater.setInput(in);
            sink += deflater.deflate(out);
            deflater.end();
          }
        };
      case "allocate":
        return () -> {
          here();
          while (true) {
            sink += new byte[1 << 12].length;
          }
        };
      case "throw":
        return () -> {
          here();
          while (true) {
            try {
              throw new IllegalStateException();
            } catch (IllegalStateException e) {
              sink++;
            }
          }
        };
      case "catch-all":
        return () -> {
          here();
          while (true) {
            try {
              while (true) {
                sink++;
              }
            } catch (Throwable e) {
              wrong("caught " + e);
            }
          }
        };
      case "load":
        return () -> {
          here();
          while (true) {
            new java.net.URLClassLoader(new java.net.URL[0]) {
              Class<?> define() throws Exception {
                try (InputStream in = Blocks.class.getResourceAsStream("Blocks$Loaded.class")) {
                  byte[] bytes = in.readAllBytes();
                  return defineClass(null, bytes, 0, bytes.length);
                }
              }
            }.define().getDeclaredConstructor().newInstance();
          }
        };
      case "start":
        return () -> {
          here();
          while (true) {
            Thread thread = new Thread(() -> sink++);
            thread.start();
            thread.join();
          }
        };
      case "resolve":
        return () -> {
          here();
          while (true) {
            InetAddress.getByName("localhost");
          }
        };
      case "print":
        return () -> {
          here();
          while (true) {
            System.err.print("");
            System.err.flush();
          }
        };
      case "files":
        return () -> {
          here();
          while (true) {
            try (var files = java.nio.file.Files.list(Path.of("."))) {
              sink += files.count();
            }
          }
        };
      default:
        throw new IllegalArgumentException(kind);
    }
  }

  /** Compilers need not ask for safepoints in it. */
  private static long spinCounted(int count) {
    long x = 1;
    for (int i = 0; i < count; i++) {
      x = x * 31 + (x >> 7) + i;
    }
    return x;
  }

  public static class Loaded {}

  private static class Initializer {
    static {
      LockSupport.park();
      wrong("unparked");
    }

    static void touch() {}
  }

  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private static void writeUnder(Object monitor, byte[] text) throws java.io.IOException {
    synchronized (monitor) {
      OUT.write(text);
    }
  }

  private static void run(String kind) {
    boolean ended = false;
    try {
      block(kind).enter();
      ended = true;
      wrong(kind + " returned");
    } catch (Throwable e) {
      ended = true;
      wrong(kind + " threw " + e);
      e.printStackTrace();
    } finally {
      if (!ended) {
        wrong("finally of " + kind);
      }
    }
  }

  /**
   * Those that have said that they are there may have to load classes on the last step; a run that
   * ends meanwhile is the last of its JVM. Goes on after 10 s.
   */
  private static void awaitPlaces() throws InterruptedException {
    Thread.sleep(30);
    for (int tries = 0;
        tries < 500 && Thread.getAllStackTraces().values().stream().anyMatch(Blocks::loads);
        tries++) {
      Thread.sleep(20);
    }
  }

  private static boolean loads(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .map(StackTraceElement::getClassName)
        .anyMatch(
            name ->
                name.matches(
                    "java\\.lang\\.invoke\\.(?!VarHandle).*|jdk\\.internal\\.(jimage|loader|module)\\..*"));
  }

  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[1]);
    ready = new CountDownLatch((args.length - 2) * count);
    LOCK.lock();
    READ_WRITE.writeLock().lock();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    synchronized (MONITOR) {
      for (int i = 2; i < args.length; i++) {
        for (int n = 0; n < count; n++) {
          String kind = args[i];
          Thread thread = new Thread(() -> run(kind), kind + " " + n);
          thread.setDaemon(args[0].equals("return") || n % 2 == 0);
          thread.start();
        }
      }
      ready.await();
      awaitPlaces();
      System.out.println("all there");
      switch (args[0]) {
        case "exit":
          System.exit(12);
          break;
        case "halt":
          Runtime.getRuntime().halt(12);
          break;
        case "stay":
          Thread.sleep(1_000_000);
          break;
        default:
          break;
      }
    }
  }
}
