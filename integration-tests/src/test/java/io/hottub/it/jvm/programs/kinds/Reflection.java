// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/** Accessors, annotations, enums, class values, proxies, records, literals. */
public class Reflection extends Kind {
  @Retention(RetentionPolicy.RUNTIME)
  @interface Note {
    String[] value();
  }

  enum Color {
    RED,
    GREEN;
    int mutable;
  }

  record Pair(int a, String b) {
    static int count;

    Pair {
      count++;
    }
  }

  interface Shape {
    Object[] TABLE = {"initial"};

    String name();
  }

  @Retention(RetentionPolicy.RUNTIME)
  @interface Painted {
    Color value();

    Color other() default Color.GREEN;
  }

  /** Notes what calls its constructor. */
  @Painted(Color.RED)
  static class Made {
    static String by;

    Made() {
      by = Target.where();
    }
  }

  @Note({"one", "two"})
  static class Target {
    private static final int[] ARRAY = {1, 2, 3};
    private final int secret = Integer.parseInt("5");
    private static int number = 7;

    static String where() {
      return Arrays.stream(new Throwable().getStackTrace())
          .map(StackTraceElement::getClassName)
          .filter(name -> name.contains("reflect"))
          .toList()
          .toString();
    }
  }

  static class Counter {
    int count;
  }

  static final ClassValue<Counter> VALUE =
      new ClassValue<>() {
        @Override
        protected Counter computeValue(Class<?> type) {
          return new Counter();
        }
      };

  /** The first one calls native code; after some calls another one is generated. */
  private static String accessors() throws Exception {
    Method method = Target.class.getDeclaredMethod("where");
    String first = (String) method.invoke(null);
    String last = "";
    for (int i = 0; i < 40; i++) {
      last = (String) method.invoke(null);
    }
    return first + " " + last;
  }

  @SuppressWarnings({"deprecation", "ReturnValueIgnored"})
  private static String makers() throws Exception {
    Made.class.newInstance();
    String first = Made.by;
    for (int i = 0; i < 40; i++) {
      Made.class.newInstance();
    }
    return first + " " + Made.by;
  }

  private static Shape proxy() {
    return (Shape)
        Proxy.newProxyInstance(
            Shape.class.getClassLoader(),
            new Class<?>[] {Shape.class},
            (p, m, a) -> m.getName().equals("toString") ? "proxy" : "called " + m.getName());
  }

  /** A handle of the class library remembers a conversion to a class of a loader of this run. */
  private static void convert() throws Exception {
    URL path = Reflection.class.getProtectionDomain().getCodeSource().getLocation();
    Class<?> type = new URLClassLoader(new URL[] {path}, null).loadClass(Pair.class.getName());
    MethodHandles.identity(Object.class).asType(MethodType.methodType(type, type));
  }

  @Override
  protected void dirty() throws Exception {
    accessors();
    makers();
    Target.class.getAnnotation(Note.class).value()[0] = "dirty";
    Color.RED.mutable = 17;
    new Pair(1, "dirty");
    Shape.TABLE[0] = "dirty";
    Target.ARRAY[0] = 17;
    Target.number = 17;
    Field secret = Target.class.getDeclaredField("secret");
    secret.setAccessible(true);
    secret.setInt(new Target(), 17);
    VALUE.get(String.class).count++;
    VALUE.get(int[].class).count++;
    VALUE.get(int.class).count++;
    VALUE.get(void.class).count++;
    VALUE.get(Target.class).count++;
    proxy().name();
    convert();
    synchronized ("a literal") {
      Thread holder =
          new Thread(
              () -> {
                synchronized ("another literal") {
                  try {
                    Thread.sleep(100_000);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }
              });
      holder.setDaemon(true);
      holder.start();
      while (holder.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  protected void probe() throws Exception {
    show("accessors", Reflection::accessors);
    show("annotation", () -> Arrays.toString(Target.class.getAnnotation(Note.class).value()));
    show("enum", () -> Color.RED.mutable + " " + EnumSet.allOf(Color.class));
    show("makers", Reflection::makers);
    show("constants of the enum", () -> Color.class.getEnumConstants()[0] == Color.RED);
    show("constant by name", () -> Enum.valueOf(Color.class, "RED") == Color.RED);
    Painted painted = Made.class.getAnnotation(Painted.class);
    show("constant of an annotation", () -> painted.value() == Color.RED);
    show("constant of its default", () -> painted.other() == Color.GREEN);
    show("enum map", () -> new EnumMap<>(Map.of(Color.GREEN, 1)));
    show("enum by name", () -> Color.valueOf("GREEN").ordinal());
    show(
        "record",
        () -> new Pair(1, "a").equals(new Pair(1, "a")) + " " + Pair.count + new Pair(2, "b"));
    show("interface", () -> Shape.TABLE[0]);
    show("statics", () -> Target.ARRAY[0] + " " + Target.number);
    show(
        "private",
        () -> {
          Field secret = Target.class.getDeclaredField("secret");
          return secret.canAccess(new Target());
        });
    show(
        "class values",
        () -> {
          int sum = VALUE.get(Target.class).count + VALUE.get(String.class).count;
          sum += VALUE.get(int.class).count + VALUE.get(void.class).count;
          return sum + VALUE.get(int[].class).count;
        });
    for (Class<?> type : new Class<?>[] {Target.class, int[].class, long.class, void.class}) {
      show(
          "generics of " + type,
          () -> type.getGenericSuperclass() + " " + type.getTypeParameters().length);
    }
    show("proxy", () -> proxy() + " " + proxy().name());
    show("literal", () -> new String("a literal").intern() == "a literal");
    synchronized ("another literal") {
      show("lock", () -> Thread.holdsLock("another literal"));
    }
  }
}
