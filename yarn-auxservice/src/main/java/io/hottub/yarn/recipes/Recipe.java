// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import io.hottub.protocol.ClientVariables;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How JVMs of one fingerprint are warmed before anybody needs them: a command line like that of the
 * runs that are to find them, and how often it is to run. A properties file each; {@code
 * docs/operations.md} describes it.
 *
 * @param user YARN user whose containers are to be served; empty: runs of the NodeManager's Unix
 *     user outside of containers
 * @param options of the JVM, without the class path
 * @param environment everything that the run finds in its environment but what HotTub itself sets
 * @param runs after which a JVM is warm
 * @param minIdle so many idle JVMs are kept
 */
public record Recipe(
    String name,
    String user,
    List<String> options,
    String classPath,
    String mainClass,
    List<String> arguments,
    Map<String, String> environment,
    int runs,
    int minIdle,
    Duration deadline) {

  static final String SUFFIX = ".properties";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|\\S+");
  private static final String ENVIRONMENT = "environment.";

  /** What fits a variable of HotTub into a recipe would lead its runs elsewhere. */
  private static final Pattern OURS =
      Pattern.compile("(?!" + ClientVariables.ISOLATION + "$)HOTTUB.*|CLASSPATH|CONTAINER_ID");

  /** Name of the recipe in a file of this name. */
  static String nameOf(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - SUFFIX.length());
  }

  /**
   * Reads the text of a recipe.
   *
   * @throws IOException if it is wrong; the message says where
   */
  static Recipe parse(String name, String text) throws IOException {
    if (!NAME.matcher(name).matches()) {
      throw new IOException(
          "its name has other characters than A-Z, a-z, 0-9, \"_\", \"-\", \".\"");
    }
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      throw new IOException("not a properties file: " + e.getMessage(), e);
    }
    return new Reader(properties).recipe(name);
  }

  /** Takes out what it reads, so that what is left is unknown. */
  private record Reader(Properties left) {
    Recipe recipe(String name) throws IOException {
      Recipe recipe =
          new Recipe(
              name,
              text("user", ""),
              words("options"),
              required("class-path"),
              required("main-class"),
              words("arguments"),
              environment(),
              number("runs", 3, 100),
              number("min-idle", 1, 64),
              Duration.ofSeconds(number("deadline-seconds", 60, 3_600)));
      if (!left.isEmpty()) {
        throw new IOException("unknown " + new TreeMap<>(left).firstKey());
      }
      return recipe;
    }

    private String text(String key, String otherwise) {
      String value = (String) left.remove(key);
      return value == null ? otherwise : value.strip();
    }

    private String required(String key) throws IOException {
      String value = text(key, "");
      if (value.isEmpty()) {
        throw new IOException("no " + key);
      }
      return value;
    }

    private List<String> words(String key) {
      List<String> words = new ArrayList<>();
      Matcher word = WORD.matcher(text(key, ""));
      while (word.find()) {
        words.add(word.group(1) == null ? word.group() : word.group(1));
      }
      return List.copyOf(words);
    }

    private int number(String key, int otherwise, int max) throws IOException {
      String value = text(key, Integer.toString(otherwise));
      try {
        int number = Integer.parseInt(value);
        if (number >= 1 && number <= max) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw wrongNumber(key, value, max, e);
      }
      throw wrongNumber(key, value, max, null);
    }

    private static IOException wrongNumber(String key, String value, int max, Exception cause) {
      return new IOException(
          "%s is \"%s\", not a whole number from 1 to %d".formatted(key, value, max), cause);
    }

    private Map<String, String> environment() throws IOException {
      Map<String, String> environment = new TreeMap<>();
      for (String key : left.stringPropertyNames()) {
        if (key.startsWith(ENVIRONMENT)) {
          String variable = key.substring(ENVIRONMENT.length());
          if (variable.isEmpty() || OURS.matcher(variable).matches()) {
            throw new IOException(key + " is not for recipes to set");
          }
          environment.put(variable, text(key, ""));
        }
      }
      return Map.copyOf(environment);
    }
  }
}
