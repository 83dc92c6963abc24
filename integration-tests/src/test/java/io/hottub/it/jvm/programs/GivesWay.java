// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Uses a class of the class path in every way that a class can be linked to it, or first defines
 * another one in its place, which has its fields and methods elsewhere.
 */
public class GivesWay {
  public static void main(String[] args) throws Throwable {
    int times = Integer.parseInt(args[0]);
    for (int i = 1; i < args.length; i++) {
      act(args[i], times);
    }
  }

  private static void act(String what, int times) throws Throwable {
    switch (what) {
      case "use" -> {
        String last = null;
        for (int i = 0; i < times; i++) {
          last = String.join(" ", Users.all());
        }
        System.out.println(last);
      }
      case "define" -> define("Pard", "Part");
      case "parents" -> define("Perl", "Part");
      case "children" -> define("Chile", "Child");
      case "plain" -> {
        Object plain = new Plain();
        define("Plain", "Plain");
        System.out.println(plain.hashCode() == 0 ? "" : "used");
      }
      case "running" -> Running.define();
      case "lambda" -> {
        for (int i = 0; i < times; i++) {
          Asks.ask();
        }
        System.out.println(Asks.ask());
      }
      case "asks" -> define("Asked", "Asked");
      case "virtual" -> {
        int sum = 0;
        for (int i = 0; i < times; i++) {
          sum += Virtuals.take(i, "text", false);
        }
        System.out.println(sum + Virtuals.take(2, "text", true));
      }
      case "count" -> {
        Counter.count++;
        define("Counter", "Counter");
        System.out.println(++Counter.count);
      }
      case "generate" -> define("Gena", "Genb");
      case "regenerate" -> {
        define("Part", "Part");
        define("Genc", "Genb");
      }
      case "orphans" -> define("Chili", "Child");
      case "nest" -> define("Nestes", "Nestes", "Nester");
      case "nested" -> System.out.println(new Nester.Member().secret());
      case "siblings" -> Siblings.meet();
      case "make" -> Makers.make(false);
      case "keep" -> Makers.make(true);
      default -> throw new IllegalArgumentException(what);
    }
  }

  private static void define(String from, String to) throws Exception {
    define("GivesWay$" + from, "$" + from, "$" + to);
  }

  private static byte[] bytesOf(String name) throws IOException {
    try (InputStream in = GivesWay.class.getResourceAsStream(name + ".class")) {
      return in.readAllBytes();
    }
  }

  /** Both names are of one length. */
  private static void define(String source, String from, String to) throws Exception {
    String text = new String(bytesOf(source), StandardCharsets.ISO_8859_1);
    byte[] changed = text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    try {
      System.out.println("defined " + MethodHandles.lookup().defineClass(changed).getSimpleName());
    } catch (LinkageError e) {
      System.out.println(e.getClass().getName());
    }
  }

  private static void defineUnchecked(String from, String to) {
    try {
      define(from, to);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public interface Named {
    String name();
  }

  /** The one of the class path. */
  public static class Part implements Named, Comparable<Part> {
    static int made = Integer.getInteger("made", 10);
    static final String KIND = new String("part");
    int number = ++made;
    String text = "p" + number;
    private long secret = number * 3L;

    @Override
    public String name() {
      return "name-" + text;
    }

    String label(int i) {
      return text + i;
    }

    static String kind() {
      return KIND + made;
    }

    @Override
    public int compareTo(Part other) {
      return Integer.compare(number, other.number);
    }
  }

  /** The one that comes in its place. */
  static class Pard implements Named, Comparable<Pard> {
    static final String KIND = new String("PARD");
    static double before = 1.5;
    static int made = 20;
    double first = 2.5;
    String text;
    Object more = "more";
    int number;
    private long secret;

    Pard() {
      number = ++made;
      secret = -number;
      text = "P" + number + more + first + before;
    }

    String another(int i) {
      return "another" + i;
    }

    @Override
    public int compareTo(Pard other) {
      return Integer.compare(other.number, number);
    }

    static String kind() {
      return KIND + made;
    }

    String label(int i) {
      return "LABEL" + another(i) + text;
    }

    @Override
    public String name() {
      return "NAME-" + text;
    }
  }

  /** Cannot come in its place. */
  static class Perl extends ArrayList<String> implements Named {
    private static final long serialVersionUID = 1;

    @Override
    public String name() {
      return "perl";
    }
  }

  static class Child extends Part {
    String own = "child" + number;

    @Override
    String label(int i) {
      return own + super.label(i);
    }
  }

  static class Chile extends Part {
    int more = 7;

    @Override
    String label(int i) {
      return "chile" + more + super.label(i);
    }
  }

  /** Cannot come in the place of the child of a class that gives way. */
  static class Chili extends ArrayList<String> {
    private static final long serialVersionUID = 1;
  }

  /** Its initialisation has no effect, so it is not seen. */
  static class Plain {}

  record Holder(Part part, Part[] parts) {}

  static class PartException extends RuntimeException {
    private static final long serialVersionUID = 1;
    final transient Part part;

    PartException(Part part) {
      this.part = part;
    }
  }

  static class Users {
    static Part shared;
    static final Function<Part, String> LABEL = p -> p.label(2);

    static String fields(Part part) {
      part.number += 2;
      return part.text + part.number + part.secret + Part.made;
    }

    static List<String> all() throws Throwable {
      Part part = new Part();
      shared = part;
      List<String> seen = new ArrayList<>(List.of(part.name(), part.label(1), Part.kind()));
      seen.add(fields(part));
      Object object = part;
      if (object instanceof Part same && same == part) {
        seen.add("same " + ((Part) object).text);
      }
      Part[] parts = {part, new Child(), new Part()};
      Object[][] more = new Part[1][2];
      seen.add(more.getClass().getSimpleName() + parts[1].label(3) + parts[1].compareTo(part));
      Named named = part;
      seen.add(named.name());
      Comparable<Part> comparable = part;
      seen.add("" + comparable.compareTo(parts[2]));
      Function<Part, String> lambda = p -> p.label(part.number);
      Supplier<Part> constructor = Part::new;
      Function<Part, String> reference = Part::name;
      seen.add(lambda.apply(parts[2]) + constructor.get().text + reference.apply(part));
      seen.add(LABEL.apply(part));
      MethodHandle handle =
          MethodHandles.lookup()
              .findVirtual(Part.class, "label", MethodType.methodType(String.class, int.class));
      seen.add((String) handle.invokeExact(part, 5));
      MethodHandle identity = MethodHandles.identity(Part.class);
      Part again = (Part) identity.invokeExact(part);
      seen.add("" + (again == part) + Part.class.getSimpleName() + Part[].class.getSimpleName());
      Holder holder = new Holder(part, parts);
      seen.add(holder.equals(new Holder(part, parts)) + "" + (holder.part() == part));
      seen.add(("" + holder).startsWith("Holder[part=GivesWay$Part@") + "");
      try {
        throw new PartException(part);
      } catch (PartException e) {
        seen.add(e.part.text);
      }
      return seen;
    }
  }

  /** C2 makes none of them, but has their fields in registers. */
  static class Virtual {
    int number;
    Object text;

    Virtual(int number, Object text) {
      this.number = number;
      this.text = text;
    }
  }

  /** Comes in its place. */
  static class Virtuax {
    long first;
    long second;
    Object more;
    int number;
    Object text;

    Virtuax(int number, Object text) {
      this.number = number;
      this.text = text;
    }
  }

  interface Hook {
    void go(boolean defines);
  }

  static class Virtuals {
    static int called;
    static final Hook[] HOOKS = {
      defines -> called++,
      defines -> called += 2,
      defines -> {
        if (defines) {
          GivesWay.defineUnchecked("Virtuax", "Virtual");
        }
      }
    };

    static int take(int i, Object text, boolean defines) {
      Virtual virtual = new Virtual(i, text);
      HOOKS[i % 3].go(defines);
      return virtual.number + virtual.text.hashCode();
    }
  }

  static class Counter {
    static int count;
  }

  static class Made {}

  /** Has a handle of the constructor when there is another class. */
  static class Makers {
    static void make(boolean defines) throws Throwable {
      MethodHandle constructor =
          MethodHandles.lookup().findConstructor(Made.class, MethodType.methodType(void.class));
      if (defines) {
        define("Made", "Made");
      }
      try {
        System.out.println((Object) constructor.invoke() != null);
      } catch (NoClassDefFoundError e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** Other classes of one name that runs make. */
  static class Gena extends Part {}

  static class Genc extends ArrayList<String> {
    private static final long serialVersionUID = 1;
  }

  /** A class loader that has a class from another one, as those of OSGi do. */
  static class Siblings {
    static class Owner extends ClassLoader {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return name.endsWith("$Part") ? own(name) : super.loadClass(name, resolve);
      }

      Class<?> own(String name) throws ClassNotFoundException {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name, this);
      }

      static Class<?> define(String name, Owner loader) throws ClassNotFoundException {
        try {
          byte[] bytes = bytesOf(name);
          return loader.defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
    }

    static class Borrower extends Owner {
      private final Owner owner = new Owner();

      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return name.endsWith("$Part")
            ? owner.loadClass(name)
            : name.endsWith("$Meeting") ? own(name) : super.loadClass(name, resolve);
      }
    }

    static void meet() throws Exception {
      Class<?> meeting = new Borrower().loadClass("GivesWay$Meeting");
      ((Runnable) meeting.getConstructor().newInstance()).run();
    }
  }

  /** Means the one of its class loader, and asks somebody else before it has one. */
  public static class Meeting implements Runnable {
    @Override
    public void run() {
      System.out.println(Host.take(null));
      System.out.println(Host.take(new Part()));
    }
  }

  public static class Host {
    public static String take(Part part) {
      return part == null ? "none" : "one";
    }
  }

  /** While a method of it runs. */
  static class Running {
    static void define() throws Exception {
      GivesWay.define("Running", "Running");
    }
  }

  interface Asked {
    String answer();
  }

  /** The lambda is one object for all runs. */
  static class Asks {
    static String ask() {
      Asked asked = () -> "answer";
      return asked.answer();
    }
  }
}

/** The host of a nest: its member reads what is private. */
class Nester {
  private static String secret = new String("secret");

  static class Member {
    String secret() {
      return secret;
    }
  }
}

/** Comes in its place. */
class Nestes {
  private static String first = new String("first");
  private static String secret = new String("SECRET");

  static class Member {
    String secret() {
      return secret + first;
    }
  }
}
