// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.spi.FileSystemProvider;
import java.security.MessageDigest;
import java.sql.Timestamp;
import java.text.SimpleDateFormat;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;

/**
 * What makes the class library load, generate and remember something, done where there is hardly
 * any stack or memory left for it, or in a thread that is ended.
 */
public class Exhausts {
  interface Action {
    Object run() throws Throwable;
  }

  interface First {
    Object get(Object a, int b);
  }

  interface Second {
    default int five() {
      return 5;
    }
  }

  record Pair(int number, String text) {}

  enum Letter {
    A,
    B
  }

  @Retention(RetentionPolicy.RUNTIME)
  @interface Note {
    int value() default 3;
  }

  @Note(4)
  static void noted() {}

  public static int twice(int x) {
    return 2 * x;
  }

  private static Object proxy(Class<?> kind, InvocationHandler handler) {
    return Proxy.newProxyInstance(Exhausts.class.getClassLoader(), new Class<?>[] {kind}, handler);
  }

  private static int header(Class<?> of) throws Exception {
    try (InputStream in = of.getResourceAsStream(of.getSimpleName() + ".class")) {
      return in.readNBytes(4).length;
    }
  }

  private static Object copied(Object o) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(o);
    }
    return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }

  private static Object filtered() throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle max =
        lookup.findStatic(
            Math.class, "max", MethodType.methodType(int.class, int.class, int.class));
    MethodHandle hex =
        lookup.findStatic(
            Integer.class, "toHexString", MethodType.methodType(String.class, int.class));
    return MethodHandles.filterReturnValue(MethodHandles.insertArguments(max, 0, 3), hex)
        .invoke(17);
  }

  private static Object reflected() throws Exception {
    Method method = Exhausts.class.getMethod("twice", int.class);
    Constructor<Date> constructor = Date.class.getConstructor(long.class);
    Object last = null;
    for (int i = 0; i < 20; i++) { // more than are interpreted
      last = constructor.newInstance(i) + " " + method.invoke(null, i);
    }
    return last;
  }

  private static List<Action> actions() {
    return List.of(
        () -> {
          Function<Integer, Integer> more = x -> x + 1;
          return more.apply(3);
        },
        () -> "text " + Letter.A + 5L + 'c' + 1.5 + true,
        () -> new Pair(1, "b").toString() + new Pair(1, "b").equals(new Pair(2, "b")),
        () -> ((First) proxy(First.class, (p, m, a) -> a.length)).get(1, 2),
        () -> ((Second) proxy(Second.class, InvocationHandler::invokeDefault)).five(),
        Exhausts::filtered,
        () -> MethodHandles.arrayElementVarHandle(long[].class).getAndAdd(new long[3], 1, 5L),
        () ->
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN)
                .get(new byte[] {1, 2, 3, 4}, 0),
        () ->
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.limit(1).map(f -> f.getDeclaringClass()).toList()),
        () -> Class.forName("Small").getName(),
        () -> header(Exhausts.class),
        () -> header(Object.class),
        () ->
            ServiceLoader.load(FileSystemProvider.class).stream()
                .map(provider -> provider.type().getName())
                .sorted()
                .toList(),
        Exhausts::reflected,
        () -> Arrays.toString(Exhausts.class.getDeclaredMethod("noted").getAnnotations()),
        () -> Pair.class.getRecordComponents()[1].getAccessor().invoke(new Pair(1, "q")),
        () -> Files.exists(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules")),
        () -> ModuleLayer.boot().findModule("java.sql").get().getDescriptor().packages().size(),
        () -> Timestamp.valueOf("2020-01-01 00:00:00"),
        () -> String.format(Locale.GERMANY, "%,d", 1234567),
        () -> new SimpleDateFormat("EEEE MMM", Locale.FRANCE).format(new Date(0)),
        () -> ZonedDateTime.parse("2020-01-01T00:00:00+01:00[Europe/Paris]").toInstant(),
        () ->
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(new byte[] {'<', 'a', '/', '>'}))
                .getDocumentElement()
                .getTagName(),
        () -> MessageDigest.getInstance("SHA-256").digest(new byte[3])[0],
        () -> copied(new ArrayList<>(List.of(1, "a", Letter.B))),
        () -> CompletableFuture.supplyAsync(() -> 5).thenApply(x -> x + 1).get(9, TimeUnit.SECONDS),
        () ->
            IntStream.range(0, 1000)
                .parallel()
                .boxed()
                .collect(Collectors.groupingBy(x -> x % 7, TreeMap::new, Collectors.counting())),
        () -> Charset.forName("EUC-JP").newEncoder().encode(CharBuffer.wrap("\u3042")).remaining(),
        () -> InetAddress.getByName("127.0.0.1"),
        () -> Logger.getLogger("some").getName(),
        () ->
            MethodHandleProxies.asInterfaceInstance(
                    Supplier.class, MethodHandles.constant(Object.class, "constant"))
                .get(),
        () -> RandomGenerator.of("L64X128MixRandom").getClass());
  }

  /** Every failure is one of the run alone, so it does not matter which they are. */
  private static boolean works(Action action) {
    try {
      action.run();
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  private static boolean done;
  private static int attempts;

  /** From the end of the stack on, with a frame more each time, later with some more. */
  private static void deep(Action action, int frames) {
    try {
      if (frames > 0) {
        deep(action, frames - 1);
      }
    } catch (StackOverflowError e) {
      attempts = 0;
    }
    attempts++;
    if (!done && (attempts < 100 || (attempts < 3000 && attempts % 16 == 0))) {
      done = works(action);
    }
  }

  private static Object[] blocks;
  private static int count;

  private static void fill(int size) {
    try {
      while (count < blocks.length) {
        blocks[count] = new byte[size];
        count++;
      }
    } catch (OutOfMemoryError e) {
      // that was the last one
    }
  }

  /** In a full heap, with a little more room each time. */
  private static void full(Action action) {
    blocks = new Object[200_000];
    count = 0;
    fill(1 << 16);
    for (int attempt = 0; attempt < 12 && !done; attempt++) {
      fill(64);
      for (int i = 0; i < 8 * attempt * attempt && count > 0; i++) {
        count--;
        blocks[count] = null;
      }
      done = works(action);
    }
    blocks = null;
  }

  @SuppressWarnings({"deprecation", "removal"})
  private static void ended(Action action, Random random) throws InterruptedException {
    for (int attempt = 0; attempt < 4 && !done; attempt++) {
      Thread thread = new Thread(() -> done = works(action));
      thread.start();
      long end = System.nanoTime() + random.nextInt(2_000_000);
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      thread.stop();
      thread.join();
    }
  }

  /** Arguments: none to show all results; or stack, memory or stop, and with which to begin. */
  public static void main(String[] args) throws Exception {
    List<Action> actions = actions();
    if (args.length == 0) {
      for (int i = 0; i < actions.size(); i++) {
        try {
          System.out.println(i + ": " + actions.get(i).run());
        } catch (Throwable e) {
          System.out.println(i + ": " + e + ", caused by " + e.getCause());
        }
      }
      System.exit(0);
    }
    int first = Integer.parseInt(args[1]);
    Random random = new Random(first);
    for (int i = 0; i < actions.size(); i++) {
      Action action = actions.get((first + i) % actions.size());
      done = false;
      switch (args[0]) {
        case "stack" -> {
          Thread thread = new Thread(null, () -> deep(action, 1_000_000), "deep", 1 << 18);
          thread.start();
          thread.join();
        }
        case "memory" -> full(action);
        default -> ended(action, random);
      }
    }
    System.exit(0);
  }
}
