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

  static final ClassValue<int[]> VALUE =
      new ClassValue<>() {
        @Override
        protected int[] computeValue(Class<?> type) {
          return new int[1];
        }
      };

  private static String accessors() throws Exception {
    Method method = Target.class.getDeclaredMethod("where");
    String last = "";
    for (int i = 0; i < 40; i++) {
      last = (String) method.invoke(null);
    }
    return last;
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
    Class<?> type =
        new URLClassLoader(new URL[] {path}, null).loadClass(Pair.class.getName());
    MethodHandles.identity(Object.class).asType(MethodType.methodType(type, type));
  }

  @Override
  protected void dirty() throws Exception {
    accessors();
    Target.class.getAnnotation(Note.class).value()[0] = "dirty";
    Color.RED.mutable = 17;
    new Pair(1, "dirty");
    Shape.TABLE[0] = "dirty";
    Target.ARRAY[0] = 17;
    Target.number = 17;
    Field secret = Target.class.getDeclaredField("secret");
    secret.setAccessible(true);
    secret.setInt(new Target(), 17);
    VALUE.get(String.class)[0]++;
    VALUE.get(int[].class)[0]++;
    VALUE.get(int.class)[0]++;
    VALUE.get(void.class)[0]++;
    VALUE.get(Target.class)[0]++;
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
    show("enum map", () -> new EnumMap<>(Map.of(Color.GREEN, 1)));
    show("enum by name", () -> Color.valueOf("GREEN").ordinal());
    show("record", () -> new Pair(1, "a").equals(new Pair(1, "a")) + " " + Pair.count + new Pair(2, "b"));
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
          int sum = VALUE.get(Target.class)[0] + VALUE.get(String.class)[0];
          sum += VALUE.get(int.class)[0] + VALUE.get(void.class)[0];
          return sum + VALUE.get(int[].class)[0];
        });
    for (Class<?> type : new Class<?>[] {Target.class, int[].class, long.class, void.class}) {
      show("generics of " + type, () -> type.getGenericSuperclass() + " " + type.getTypeParameters().length);
    }
    show("proxy", () -> proxy() + " " + proxy().name());
    show("literal", () -> new String("a literal").intern() == "a literal");
    synchronized ("another literal") {
      show("lock", () -> Thread.holdsLock("another literal"));
    }
  }
}
