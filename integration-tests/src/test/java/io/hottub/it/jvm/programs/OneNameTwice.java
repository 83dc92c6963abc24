// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Uses a class of the class path, defines another one of its name before, or has both. */
public class OneNameTwice {
  private static byte[] bytes(String name) {
    try (InputStream in = OneNameTwice.class.getResourceAsStream(name + ".class")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The answer of the class path with another text in it. */
  private static byte[] changed(String from, String to) {
    String original = new String(bytes("OneNameTwice$Answer"), StandardCharsets.ISO_8859_1);
    return original.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static class ChildFirst extends ClassLoader {
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null && (name.endsWith("Answer") || name.endsWith("Asker"))) {
        byte[] definition = bytes(name);
        loaded = defineClass(name, definition, 0, definition.length);
      }
      return loaded != null ? loaded : super.loadClass(name, resolve);
    }
  }

  private static void act(String what) throws Exception {
    switch (what) {
      case "use" -> System.out.println(new Answer().text());
      case "define" -> {
        MethodHandles.lookup().defineClass(changed("compiled", "changed!"));
        System.out.println(new Answer().text());
      }
      case "find" -> {
        ClassLoader loader = OneNameTwice.class.getClassLoader();
        Class.forName("OneNameTwice$Kind", false, loader);
        loader.loadClass("OneNameTwice$OtherKind");
        for (String kind : List.of("OneNameTwice$Kind", "OneNameTwice$OtherKind")) {
          try {
            MethodHandles.lookup().defineClass(bytes(kind));
          } catch (LinkageError e) {
            System.out.println(kind + " is there");
          }
        }
      }
      case "generate" -> {
        byte[] generated = changed("Answer", "Number");
        System.out.println(MethodHandles.lookup().defineClass(generated));
        MethodHandles.lookup().defineClass(generated);
      }
      case "Asker", "LateAsker" -> {
        Class<?> asker = Class.forName("OneNameTwice$" + what, true, new ChildFirst());
        ((Runnable) asker.getConstructor().newInstance()).run();
      }
      default -> throw new IllegalArgumentException(what);
    }
  }

  public static void main(String[] args) throws Exception {
    for (String what : args) {
      try {
        act(what);
      } catch (LinkageError e) {
        System.out.println(e.getClass().getName());
      }
    }
  }

  public static class Answer {
    /** Its initialisation has an effect. */
    static final int LENGTH = Integer.getInteger("length", 3);

    public String text() {
      return "compiled " + LENGTH;
    }
  }

  interface Kind {}

  interface OtherKind {}

  /** Where it is the one of another class loader, the two mean two classes by one name. */
  public static class Asker implements Runnable {
    @Override
    public void run() {
      Taker.take(new Answer());
    }
  }

  /** Asks before it has one. */
  public static class LateAsker implements Runnable {
    @Override
    public void run() {
      Taker.take(null);
      System.out.println(new Answer().text());
    }
  }

  public static class Taker {
    public static void take(Answer answer) {
      System.out.println("taken");
    }
  }
}
