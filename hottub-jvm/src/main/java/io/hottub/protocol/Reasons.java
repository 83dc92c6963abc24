// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table of reasons, {@code reasons.tsv}: every word that HotTub gives for a cold run, the end
 * of a JVM, a refusal or a doubt, and what it means.
 */
public final class Reasons {
  private static final List<Reason> ALL = read();

  /** The most of a doubt that a keeper writes down. */
  private static final int MAX_DOUBT_CHARS = 900;

  private static final Pattern CONVERSION = Pattern.compile("%[-.*0-9]*[a-z]");

  /** What a reason is given for. */
  public enum Kind {
    COLD,
    RETIRED,
    RETIRED_BY_SERVICE,
    REFUSED,
    PLUG_IN,
    DOUBT;

    /** The name in the table. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * One line of the table.
   *
   * @param word as in files and metrics; for a doubt the sentence, with conversions of printf
   * @param meaning what has happened
   * @param advice what the operator can do
   * @param number of a refusal on the wire, else 0
   */
  public record Reason(Kind kind, String word, String meaning, String advice, int number) {
    private static Reason parse(String line) {
      String[] fields = line.split("\t", -1);
      Kind kind = Kind.valueOf(fields[0].toUpperCase(Locale.ROOT).replace('-', '_'));
      if (fields.length != (kind == Kind.REFUSED ? 5 : 4)) {
        throw new IllegalArgumentException("not the fields that a reason has: " + line);
      }
      int number = kind == Kind.REFUSED ? Integer.parseInt(fields[4]) : 0;
      return new Reason(kind, fields[1], fields[2], fields[3], number);
    }

    /** What has happened and what to do, as one text. */
    public String explained() {
      return meaning + "; what to do: " + advice;
    }

    /** What fits the sentence of a doubt, whatever was filled in. */
    private String pattern() {
      StringBuilder pattern = new StringBuilder();
      Matcher conversion = CONVERSION.matcher(word);
      int end = 0;
      while (conversion.find()) {
        pattern.append(Pattern.quote(word.substring(end, conversion.start())));
        end = conversion.end();
        boolean isLast = end == word.length();
        boolean isNumber = conversion.group().endsWith("d");
        pattern.append(isNumber ? "[0-9]+" : isLast ? "[^;\n]*" : "[^;\n]*?");
      }
      return pattern.append(Pattern.quote(word.substring(end))).toString();
    }
  }

  private static final List<Reason> DOUBTS =
      of(Kind.DOUBT).stream()
          // Where two begin alike, the longer one says more.
          .sorted(
              Comparator.comparingInt(reason -> -CONVERSION.split(reason.word(), 2)[0].length()))
          .toList();

  private static final Pattern DOUBT =
      Pattern.compile(
          DOUBTS.stream()
              .map(reason -> "(" + reason.pattern() + ")")
              .collect(Collectors.joining("|")));

  private Reasons() {}

  private static List<Reason> read() {
    try (InputStream table = Reasons.class.getResourceAsStream("reasons.tsv");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    Objects.requireNonNull(table, "reasons.tsv"), StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.startsWith("#")).map(Reason::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those of a kind, in the order of the table. */
  public static List<Reason> of(Kind kind) {
    return ALL.stream().filter(reason -> reason.kind() == kind).toList();
  }

  /** The reason with this word; none for words of other versions. */
  public static Optional<Reason> of(Kind kind, String word) {
    return of(kind).stream().filter(reason -> reason.word().equals(word)).findFirst();
  }

  /** The refusal with this number. */
  static Optional<Reason> refused(int number) {
    return of(Kind.REFUSED).stream().filter(reason -> reason.number() == number).findFirst();
  }

  /** What a JVM means that doubts its state: each sentence that is in the text, once. */
  public static List<Reason> doubts(String text) {
    List<Reason> found = new ArrayList<>();
    Matcher doubt = DOUBT.matcher(text.substring(0, Math.min(text.length(), MAX_DOUBT_CHARS)));
    while (doubt.find()) {
      for (int i = 0; i < DOUBTS.size(); i++) {
        if (doubt.group(i + 1) != null && !found.contains(DOUBTS.get(i))) {
          found.add(DOUBTS.get(i));
        }
      }
    }
    return found;
  }
}
