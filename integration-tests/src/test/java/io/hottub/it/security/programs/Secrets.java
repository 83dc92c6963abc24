// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Takes a secret from the environment and leaves copies of it wherever a program can. With an
 * argument, waits for the end of its input then, so that somebody can look for them.
 */
public class Secrets {
  private static final List<Object> KEPT = new ArrayList<>();
  private static volatile long sink;

  private static long word(byte[] secret, int index) {
    return ByteBuffer.wrap(secret).order(java.nio.ByteOrder.nativeOrder()).getLong(8 * index);
  }

  /** Frames full of the secret, deep down the stack. */
  private static long descend(int depth, long a, long b, long c, long d) {
    if (depth == 0) {
      return a ^ b ^ c ^ d;
    }
    long result = descend(depth - 1, a, b, c, d);
    sink = a ^ result;
    return result + b + c + d;
  }

  /** Native code copies what it writes to the stack. */
  private static void writeFrom(int depth, byte[] secret) throws IOException {
    if (depth > 0) {
      writeFrom(depth - 1, secret);
    } else {
      try (FileOutputStream out = new FileOutputStream("/dev/null")) {
        out.write(secret);
      }
    }
  }

  private static void inStacks(byte[] secret) throws Exception {
    Runnable deep =
        () -> {
          try {
            writeFrom(3000, secret);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          for (int i = 0; i < 300; i++) {
            descend(200, word(secret, 0), word(secret, 1), word(secret, 2), word(secret, 3));
          }
        };
    deep.run();
    for (int i = 0; i < 8; i++) {
      Thread thread = new Thread(deep, "thread " + new String(secret, StandardCharsets.US_ASCII));
      thread.start();
      thread.join();
    }
  }

  private static void inHeap(String text, byte[] secret) {
    for (int i = 0; i < 1000; i++) {
      KEPT.add(new String(text + i).intern());
      KEPT.add((text + '\u20ac' + i).toCharArray());
      KEPT.add(secret.clone());
    }
    byte[] humongous = new byte[5 << 20];
    System.arraycopy(secret, 0, humongous, humongous.length - secret.length, secret.length);
    KEPT.add(humongous);
    for (int i = 0; i < 50_000; i++) {
      sink += secret.clone().length;
    }
    System.setProperty("secret", text);
    System.setProperty(text, "secret");
  }

  private static void outsideOfHeap(byte[] secret) throws Exception {
    for (int size : new int[] {64, 200, 1000, 5000, 70_000, 3 << 20}) {
      for (int i = 0; i < 10; i++) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        for (int at = 0; at + secret.length <= size; at += secret.length) {
          buffer.put(at, secret);
        }
        KEPT.add(buffer);
      }
    }
    var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    sun.misc.Unsafe unsafe = (sun.misc.Unsafe) field.get(null);
    for (int size : new int[] {64, 1000, 100_000}) {
      long address = unsafe.allocateMemory(size); // never freed by the program
      for (int i = 0; i < size - secret.length; i++) {
        unsafe.putByte(address + i, secret[i % secret.length]);
      }
    }
  }

  private static void throughNativeCode(String text, byte[] secret) throws Exception {
    byte[] much = text.repeat(2000).getBytes(StandardCharsets.US_ASCII);
    Path file = Path.of(text + ".tmp");
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      out.write(secret);
      out.write(much);
    }
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      KEPT.add(in.readNBytes(20));
      KEPT.add(in.readAllBytes());
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      KEPT.add(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()));
      channel.write(ByteBuffer.wrap(much));
    }
    sink += new File(file.toString()).length();
    Files.delete(file);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket out = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket in = server.accept()) {
      out.getOutputStream().write(secret);
      out.getOutputStream().write(much);
      KEPT.add(in.getInputStream().readNBytes(secret.length + much.length));
    }
    Deflater deflater = new Deflater(Deflater.NO_COMPRESSION);
    try (DeflaterOutputStream out =
        new DeflaterOutputStream(new ByteArrayOutputStream(), deflater)) {
      out.write(much);
    }
    ProcessBuilder child = new ProcessBuilder("true", text);
    child.environment().put("CHILD", text);
    child.start().waitFor();
  }

  /** What the VM and the dynamic linker were asked for in vain. */
  private static void inNames(String text) {
    for (int i = 0; i < 10; i++) {
      try {
        Class.forName(text + i);
      } catch (ClassNotFoundException e) {
        sink++;
      }
      try {
        ResourceBundle.getBundle("bundle", new Locale("xx", "YY", text.replace('-', '_') + i));
      } catch (MissingResourceException e) {
        sink++;
      }
    }
    try {
      System.loadLibrary(text);
    } catch (UnsatisfiedLinkError e) {
      sink++;
    }
  }

  public static void main(String[] args) throws Exception {
    String text = System.getenv("SECRET");
    byte[] secret = text.getBytes(StandardCharsets.US_ASCII);
    inStacks(secret);
    inHeap(text, secret);
    outsideOfHeap(secret);
    throughNativeCode(text, secret);
    inNames(text);
    System.out.println("planted");
    if (args.length > 0) {
      sink += System.in.read();
    }
  }
}
