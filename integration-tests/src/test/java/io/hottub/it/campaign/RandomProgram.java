// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A Java program that follows from a number, and whose output is the same in every JVM: parts of
 * different kinds, which nothing connects but the order in which they run.
 *
 * @param seed also decides the name of its package
 * @param without numbers of parts that are left out
 */
record RandomProgram(long seed, Set<Integer> without) {
  private static final int LEAST_PARTS = 3;
  private static final int MOST_PARTS = 8;

  private static final List<Consumer<RandomCode>> KINDS = kinds();

  private static List<Consumer<RandomCode>> kinds() {
    List<Consumer<RandomCode>> kinds = new ArrayList<>(RandomClasses.KINDS);
    kinds.addAll(RandomCalls.KINDS);
    kinds.addAll(RandomEffects.KINDS);
    return kinds;
  }

  static RandomProgram of(long seed) {
    return new RandomProgram(seed, Set.of());
  }

  int parts() {
    return LEAST_PARTS + new Random(seed).nextInt(MOST_PARTS - LEAST_PARTS + 1);
  }

  String packageName() {
    return "p" + seed;
  }

  /** Each part has random numbers of its own, so that it is the same without the others. */
  String source() {
    StringBuilder declarations = new StringBuilder();
    StringBuilder body = new StringBuilder();
    for (int part = 0; part < parts(); part++) {
      if (without.contains(part)) {
        continue;
      }
      Random random = new Random(seed * 1_000_003 + part);
      random.nextInt(); // the first ones of seeds that are near are near
      RandomCode code = new RandomCode(random, "P" + part);
      KINDS.get(random.nextInt(KINDS.size())).accept(code);
      declarations.append(code.declarations());
      declarations.append(
          "static void part%d() throws Throwable {\n%s}\n".formatted(part, code.statements()));
      body.append("Out.part(%d, Main::part%d);\n".formatted(part, part));
    }
    return """
           package %s;
           import java.lang.annotation.*;
           import java.lang.invoke.*;
           import java.lang.reflect.*;
           import java.util.*;
           import java.util.concurrent.*;
           import java.util.concurrent.atomic.*;
           import java.util.function.*;
           import java.util.stream.*;
           import shared.Out;
           @SuppressWarnings("all")
           public class Main {
           %spublic static void run() {
           %s}
           }
           """
        .formatted(packageName(), declarations, body);
  }

  /** What all programs of a process share, and its main class. */
  static String shared() {
    return """
           package shared;
           public class Out {
             /** Not the same in each run of a JVM. */
             public static final int VARIANT = Integer.getInteger("variant");
             public interface Part { void run() throws Throwable; }
             public static void say(Object... words) {
               StringBuilder line = new StringBuilder();
               for (Object word : words) line.append(word).append(' ');
               System.out.println(line);
             }
             public static void part(int number, Part part) {
               say("- part", number);
               try {
                 part.run();
               } catch (Throwable t) {
                 thrown(t);
               }
             }
             /** With the frames of the program. */
             public static void thrown(Throwable t) {
               for (Throwable cause = t; cause != null; cause = cause.getCause()) {
                 say("thrown", cause);
                 for (StackTraceElement frame : cause.getStackTrace()) {
                   if (frame.getClassName().startsWith("p")) say("  at", frame);
                 }
                 for (Throwable other : cause.getSuppressed()) say("  suppressed", other);
               }
             }
           }
           """;
  }
}
