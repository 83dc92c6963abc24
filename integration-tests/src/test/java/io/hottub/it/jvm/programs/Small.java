// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A small file that needs much of the compiler: records, enums, switches, lambdas, generics. */
public class Small {
  interface Shape {
    double area();
  }

  record Circle(double radius) implements Shape {
    public double area() {
      return Math.PI * radius * radius;
    }
  }

  record Square(double side) implements Shape {
    public double area() {
      return side * side;
    }
  }

  enum Kind {
    PLAIN,
    SPECIAL {
      @Override
      int weight() {
        return 2;
      }
    };

    int weight() {
      return 1;
    }
  }

  static <T extends Comparable<T>> T largest(List<? extends T> all) {
    T best = null;
    for (T item : all) {
      best = best == null || item.compareTo(best) > 0 ? item : best;
    }
    return best;
  }

  static String text(Object o) {
    try (var out = new java.io.StringWriter()) {
      out.write(o instanceof Shape s ? "shape of " + s.area() : "no shape: " + o);
      return out.toString();
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  public static void main(String[] args) {
    List<Shape> shapes = List.of(new Circle(1), new Square(2));
    Map<String, Integer> weights = new TreeMap<>();
    for (Kind kind : Kind.values()) {
      weights.merge(kind.name(), kind.weight(), Integer::sum);
    }
    switch (Kind.valueOf("PLAIN")) {
      case PLAIN -> System.out.println("plain");
      case SPECIAL -> System.out.println("special");
    }
    String areas = shapes.stream().map(Small::text).collect(Collectors.joining(", "));
    System.out.println(areas + " " + weights + " " + largest(List.of(3, 1, 2)));
  }
}
