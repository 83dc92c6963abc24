// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.util.List;
import java.util.Random;

/** Random bits of Java, and a part of a program made of them. */
final class RandomCode {
  /** Some are enough for a compiler to look at a loop, as RandomRuns sets its thresholds. */
  private static final int LEAST_REPEATS = 300;

  private static final int MOST_REPEATS = 2_500;

  private final Random random;

  /** Begins the name of all that this part declares. */
  private final String prefix;

  private final StringBuilder declarations = new StringBuilder();
  private final StringBuilder statements = new StringBuilder();

  RandomCode(Random random, String prefix) {
    this.random = random;
    this.prefix = prefix;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  boolean maybe() {
    return random.nextBoolean();
  }

  @SafeVarargs
  final <T> T one(T... of) {
    return of[random.nextInt(of.length)];
  }

  int number() {
    return one(0, 1, -1, 7, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE, random.nextInt(100));
  }

  int repeats() {
    return LEAST_REPEATS + random.nextInt(MOST_REPEATS - LEAST_REPEATS);
  }

  /** An expression of type int over these variables, which throws nothing. */
  String expression(int depth, List<String> variables) {
    if (depth == 0 || random.nextInt(6) == 0) {
      return maybe()
          ? variables.get(random.nextInt(variables.size()))
          : "(" + (random.nextInt(2000) - 1000) + ")";
    }
    String a = expression(depth - 1, variables);
    String b = expression(depth - 1, variables);
    return switch (random.nextInt(10)) {
      case 0 -> "(" + a + " + " + b + ")";
      case 1 -> "(" + a + " - " + b + ")";
      case 2 -> "(" + a + " * " + b + ")";
      case 3 -> "(" + a + " / (" + b + " | 1))";
      case 4 -> "(" + a + " ^ " + b + ")";
      case 5 -> "(" + a + " >>> " + random.nextInt(32) + ")";
      case 6 -> "(" + a + " < " + b + " ? " + b + " : " + a + ")";
      case 7 -> "Integer.rotateLeft(" + a + ", " + random.nextInt(40) + ")";
      case 8 -> "(int) (" + a + " * (long) " + b + " >> " + random.nextInt(40) + ")";
      default -> "Math.max(" + a + ", ~" + b + ")";
    };
  }

  /** Adds a nested type or method; $ stands for what begins its names. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation is of a library of its own
  RandomCode declare(String text, Object... values) {
    declarations.append(text.formatted(values).replace("$", prefix)).append('\n');
    return this;
  }

  /** Adds to what runs. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation is of a library of its own
  RandomCode then(String text, Object... values) {
    statements.append(text.formatted(values).replace("$", prefix)).append('\n');
    return this;
  }

  String declarations() {
    return declarations.toString();
  }

  String statements() {
    return statements.toString();
  }
}
