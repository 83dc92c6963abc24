import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What compilers, formatters and analysers of Java get to see. */
public class Primes {
  enum Kind { PRIME, COMPOSITE }

  record Number(int value, Kind kind) {}

  interface Test { boolean holds(int n); }

  static final Test IS_PRIME = n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).allMatch(d -> n % d != 0);

  static Number classify(int n) {
    return new Number(n, IS_PRIME.holds(n) ? Kind.PRIME : Kind.COMPOSITE);
  }

  public static void main(String[] args) {
    int unused = 0;
    List<Number> all = IntStream.range(2, 60).mapToObj(Primes::classify).collect(Collectors.toList());
    for (Number n : all) {
      switch (n.kind()) {
        case PRIME -> System.out.println("prime " + n.value());
        case COMPOSITE -> { }
      }
    }
    String s = null;
    if (s == "x") System.out.println(s.length());
  }
}
