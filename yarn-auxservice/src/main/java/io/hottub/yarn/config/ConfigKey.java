// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import io.hottub.protocol.Json;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A setting in {@code yarn-site.xml}, with all that its documentation needs. A value that is not
 * allowed is logged, and the default used: no setting stops a NodeManager.
 *
 * @param <T> what it is read as
 */
public final class ConfigKey<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigKey.class);
  private static final int MAX_PORT = 65_535;

  private final String name;
  private final String since;
  private final T defaultValue;
  private final String defaultText;
  private final ValueForm form;
  private final String meaning;
  private final Function<String, T> parser;

  private ConfigKey(
      String name,
      String since,
      T defaultValue,
      String defaultText,
      ValueForm form,
      String meaning,
      Function<String, T> parser) {
    this.name = name;
    this.since = since;
    this.defaultValue = defaultValue;
    this.defaultText = defaultText;
    this.form = form;
    this.meaning = meaning;
    this.parser = parser;
  }

  /**
   * @param since the release that has it first
   * @param min smallest allowed value
   * @param max largest allowed value
   * @param unit what is counted
   */
  static ConfigKey<Integer> number(
      String name, String since, int defaultValue, int min, int max, String unit, String meaning) {
    return new ConfigKey<>(
        name,
        since,
        defaultValue,
        Integer.toString(defaultValue),
        new ValueForm.WholeNumber(min, max, unit),
        meaning,
        text -> parseNumber(text, min, max));
  }

  /**
   * The same without a default of its own.
   *
   * @param defaultText what it means that it is missing
   */
  static ConfigKey<Optional<Integer>> optionalNumber(
      String name,
      String since,
      String defaultText,
      int min,
      int max,
      String unit,
      String meaning) {
    return new ConfigKey<>(
        name,
        since,
        Optional.empty(),
        defaultText,
        new ValueForm.WholeNumber(min, max, unit),
        meaning,
        text -> Optional.of(parseNumber(text, min, max)));
  }

  /** On or off. */
  static ConfigKey<Boolean> flag(String name, String since, boolean defaultValue, String meaning) {
    return new ConfigKey<>(
        name,
        since,
        defaultValue,
        Boolean.toString(defaultValue),
        new ValueForm.Flag(),
        meaning,
        ConfigKey::parseFlag);
  }

  /**
   * One of a few.
   *
   * @param word the text for each of them
   */
  static <V> ConfigKey<V> choice(
      String name,
      String since,
      V defaultValue,
      List<V> choices,
      Function<V, String> word,
      String meaning) {
    return new ConfigKey<>(
        name,
        since,
        defaultValue,
        word.apply(defaultValue),
        new ValueForm.Choice(choices.stream().map(word).toList()),
        meaning,
        text ->
            choices.stream()
                .filter(choice -> word.apply(choice).equals(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new));
  }

  /**
   * A text of a certain form.
   *
   * @param defaultValue empty: none
   * @param allowed regular expression
   * @param values what it allows, for readers
   */
  static ConfigKey<String> text(
      String name,
      String since,
      String defaultValue,
      String allowed,
      String values,
      String meaning) {
    return new ConfigKey<>(
        name,
        since,
        defaultValue,
        defaultValue.isEmpty() ? "none" : defaultValue,
        new ValueForm.Text(allowed, values),
        meaning,
        text -> require(text, Pattern.matches(allowed, text)));
  }

  /** An absolute path on the node. */
  static ConfigKey<Path> path(String name, String since, Path defaultValue, String meaning) {
    return new ConfigKey<>(
        name,
        since,
        defaultValue,
        defaultValue.toString(),
        new ValueForm.AbsolutePath(),
        meaning,
        ConfigKey::parsePath);
  }

  /**
   * An absolute path on the node that may be missing.
   *
   * @param defaultText what it means that it is
   */
  static ConfigKey<Optional<Path>> optionalPath(
      String name, String since, String defaultText, String meaning) {
    return new ConfigKey<>(
        name,
        since,
        Optional.empty(),
        defaultText,
        new ValueForm.AbsolutePath(),
        meaning,
        text -> Optional.of(parsePath(text)));
  }

  /** An address to listen on, which may be missing. */
  static ConfigKey<Optional<InetSocketAddress>> optionalAddress(
      String name, String since, String meaning) {
    return new ConfigKey<>(
        name,
        since,
        Optional.empty(),
        "none",
        new ValueForm.Address(),
        meaning,
        text -> Optional.of(parseAddress(text)));
  }

  // Parsers end with an IllegalArgumentException where a value is not allowed.

  private static <V> V require(V value, boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static int parseNumber(String text, int min, int max) {
    int value = Integer.parseInt(text);
    return require(value, value >= min && value <= max);
  }

  private static boolean parseFlag(String text) {
    return require(text.equals("true"), text.equals("true") || text.equals("false"));
  }

  private static Path parsePath(String text) {
    Path path = Path.of(text);
    return require(path, path.isAbsolute());
  }

  private static InetSocketAddress parseAddress(String text) {
    int colon = text.lastIndexOf(':');
    int port = parseNumber(text.substring(colon + 1), 0, MAX_PORT);
    return new InetSocketAddress(require(text, colon > 0).substring(0, colon), port);
  }

  /** Returns the configured value; the default, with a warning, where it is no allowed value. */
  public T read(Configuration conf) {
    Optional<String> problem = problem(conf);
    problem.ifPresent(LOG::warn);
    String text = conf.getTrimmed(name, "");
    return text.isEmpty() || problem.isPresent() ? defaultValue : parser.apply(text);
  }

  /** A sentence about a value that is not allowed. */
  Optional<String> problem(Configuration conf) {
    String text = conf.getTrimmed(name, "");
    try {
      if (!text.isEmpty()) {
        var unused = parser.apply(text);
      }
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(
          "%s is %s, not %s; the default is used: %s"
              .formatted(name, quoted(text), form, defaultText));
    }
  }

  /** A value for one line of a log. */
  static String quoted(String value) {
    return Json.quoted(value);
  }

  public String name() {
    return name;
  }

  /** The release that has it first. */
  public String since() {
    return since;
  }

  /** The default as a reader of the documentation should see it. */
  public String defaultText() {
    return defaultText;
  }

  /** The text that means the same as a missing setting; none where no text does. */
  public Optional<String> defaultValue() {
    return defaultValue instanceof Optional || defaultValue.equals("")
        ? Optional.empty()
        : Optional.of(defaultText);
  }

  /** Allowed values and their unit. */
  public ValueForm form() {
    return form;
  }

  public String meaning() {
    return meaning;
  }
}
