// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.Reasons.Kind;
import io.hottub.protocol.Reasons.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The table of reasons holds what the sources say, and nothing else. C code has no other words than
 * those of the table, because they are made of it; of HotSpot's C++ and the Java inside of pooled
 * JVMs the sentences are read from the source.
 */
class ReasonsTest {
  private static final Path NATIVE = Path.of("native");
  private static final Path HOTSPOT = Path.of("hotspot", "src", "share", "hottub");
  private static final Path RUNTIME = Path.of("hotspot", "runtime");

  private static final String LITERAL = "\"((?:[^\"\\\\]|\\\\.)*)\"";

  @ParameterizedTest
  @EnumSource(Kind.class)
  void noWordComesTwice(Kind kind) {
    Set<String> words = new HashSet<>();
    for (Reason reason : Reasons.of(kind)) {
      assertTrue(words.add(reason.word()), reason.word());
      assertFalse(reason.meaning().isBlank() || reason.advice().isBlank(), reason.word());
    }
    assertFalse(words.isEmpty(), "no reasons are " + kind.label());
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"COLD", "RETIRED", "REFUSED"})
  void everyWordHasAUseInC(Kind kind) throws IOException {
    String source = source(NATIVE.resolve("client"), NATIVE.resolve("keeper"));
    source += source(NATIVE.resolve("common"));
    Set<String> used = new HashSet<>();
    matches("\\b" + kind.name() + "_[A-Z0-9_]+\\b", source).forEach(use -> used.add(use.group()));
    for (Reason reason : Reasons.of(kind)) {
      assertTrue(used.contains(constant(reason)), "nothing uses the line: " + reason);
    }
  }

  @Test
  void theDoubtsAreThoseOfTheSources() throws IOException {
    Set<String> said = new TreeSet<>();
    said.addAll(doubtsOfHost());
    said.addAll(doubtsOfHotSpot());
    said.addAll(doubtsOfRuntime());
    Set<String> declared = new TreeSet<>();
    Reasons.of(Kind.DOUBT).forEach(reason -> declared.add(reason.word()));
    assertEquals(Set.of(), minus(said, declared), "said, and not in the table");
    assertEquals(Set.of(), minus(declared, said), "in the table, and nothing says so");
  }

  private static Set<String> minus(Set<String> some, Set<String> others) {
    Set<String> rest = new TreeSet<>(some);
    rest.removeAll(others);
    return rest;
  }

  /** By the names that are made of the table. */
  private static Set<String> doubtsOfHost() throws IOException {
    String source = source(NATIVE.resolve("host"));
    for (MatchResult call : matches("\\bdoubt_because\\(([^;]*);", source).toList()) {
      assertTrue(
          call.group(1).matches("(?s)&?\\w+,\\s*(DOUBT_\\w+\\b.*|\"%s\", chars .*)")
              || call.group(1).startsWith("struct doubt *doubt, const char *sentence"),
          "not by a name of the table: " + call.group());
    }
    for (MatchResult call : matches("\\bCONTROL_DOUBT,[^;]*,\\s*([^;,]*)\\);", source).toList()) {
      assertTrue(
          call.group(1).matches("why|text|doubt[.]text|DOUBT_\\w+"),
          "not by a name of the table: " + call.group());
    }
    Set<String> used = new HashSet<>();
    matches("\\bDOUBT_[A-Z0-9_]+\\b", source).forEach(use -> used.add(use.group()));
    return Reasons.of(Kind.DOUBT).stream()
        .filter(reason -> used.contains(constant(reason)))
        .map(Reason::word)
        .collect(Collectors.toSet());
  }

  private static Set<String> doubtsOfHotSpot() throws IOException {
    String source = source(HOTSPOT);
    assertEquals(1, matches("\\bdoubt = 1;", source).count(), "only doubt() says so");

    Set<String> doubts = new HashSet<>();
    for (MatchResult call : matches("\\bdoubt\\(\\s*([^;{]*)[;{]", source).toList()) {
      String arguments = call.group(1);
      boolean isDeclaration = arguments.startsWith("const char*") || arguments.startsWith(")");
      if (!isDeclaration && !arguments.matches("\"%s\", (service|definition)\\)")) {
        doubts.add(literal(arguments));
      }
    }
    for (MatchResult call : matches("\\bdoubt_because\\(\\s*([^;{]*)[;{]", source).toList()) {
      if (!call.group(1).startsWith("const char*")) {
        doubts.add(literal(call.group(1)) + ": %s");
      }
    }
    assertEquals(1, matches("\\b_on_stuck\\(", source).count(), "only give_up() says so");
    for (MatchResult call : matches("\\bgive_up\\(\\s*([^;{]*)[;{]", source).toList()) {
      if (!call.group(1).startsWith("const char*")) {
        doubts.add(literal(call.group(1)));
      }
    }
    String services = body("", "HotTubServices::beyond_restoring", source);
    matches("return (?!NULL)([^;]*);", services)
        .forEach(value -> doubts.add(literal(value.group(1))));
    return doubts;
  }

  private static Set<String> doubtsOfRuntime() throws IOException {
    Set<String> doubts = new HashSet<>();
    String settle = body("  ", "String settle", source(RUNTIME.resolve("java/lang")));
    for (MatchResult value : matches("return ([^;]*);", settle).toList()) {
      if (value.group(1).matches("\".*\" \\+ (causeOf\\(e\\)|ended|library|stranger)")) {
        doubts.add(literal(value.group(1)) + "%s");
      } else if (value.group(1).startsWith("\"")) {
        doubts.add(literal(value.group(1)));
      } else {
        assertEquals("HotTubModules.change()", value.group(1));
      }
    }
    String change = body("  ", "String change", source(RUNTIME.resolve("jdk/internal/module")));
    matches("return ([^;]*);", change)
        .forEach(value -> doubts.add(literal(value.group(1).replaceFirst(".* null : ", ""))));
    return doubts;
  }

  @Test
  void aDoubtIsKnownWithWhateverWasFilledIn() {
    assertEquals(
        List.of("library %s stays loaded"), words("library libfoo.so.1 stays loaded"), "a name");
    assertEquals(
        List.of("snapshot differs in %d items", "%d threads are left"),
        words("snapshot differs in 12 items; 3 threads are left; static Foo+16\n"),
        "two of them, and details");
    assertEquals(
        List.of("%d objects of the application are left"),
        words("a.Foo: 1 objects of the application are left; a.Foo x1 <- b.Bar.baz\n"),
        "behind the name of a class");
    assertEquals(
        List.of("a class was defined at run time before others of its package: %s"),
        words("a class was defined at run time before others of its package: a.Foo; "),
        "the longer one");
    assertEquals(
        List.of("reference processing failed: %s"),
        words("reference processing failed: java.lang.Error: out of memory"),
        "not what is in the exception");
    assertEquals(List.of(), words("something that an older JVM has said"));
  }

  private static List<String> words(String doubt) {
    return Reasons.doubts(doubt).stream().map(Reason::word).toList();
  }

  /** As native/reasons.awk makes it. */
  private static String constant(Reason reason) {
    String name = reason.word().replaceAll("%[-.*0-9]*[a-z]", "").replaceAll("[^A-Za-z0-9]+", "_");
    name = name.replaceAll("^_|_$", "").toUpperCase(Locale.ROOT);
    return reason.kind().name() + "_" + name;
  }

  /** The first literal of some arguments, which have to begin with one. */
  private static String literal(String arguments) {
    var literals = Pattern.compile("(?:\\s*" + LITERAL + ")+").matcher(arguments);
    assertTrue(literals.lookingAt(), "no literal, so nobody knows what is said: " + arguments);
    return matches(LITERAL, literals.group())
        .map(part -> part.group(1))
        .collect(Collectors.joining());
  }

  /** Of a function, up to the brace that is as far to the right as its beginning. */
  private static String body(String indent, String name, String source) {
    var body =
        Pattern.compile(
                Pattern.quote(name) + "\\([^;]*?\\{\n(.*?\n)" + indent + "\\}\n", Pattern.DOTALL)
            .matcher(source);
    assertTrue(body.find(), name);
    return body.group(1);
  }

  private static Stream<MatchResult> matches(String pattern, String source) {
    return Pattern.compile(pattern).matcher(source).results();
  }

  /** All sources below some folders, without comments. */
  private static String source(Path... folders) throws IOException {
    StringBuilder source = new StringBuilder();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          source.append(Files.readString(file).replaceAll("(?m)^\\s*//.*$", ""));
        }
      }
    }
    return source.toString();
  }
}
