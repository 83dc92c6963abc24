// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/**
 * Prints what a program sees of its command line, in the words of the test double of pooled-java.
 */
public class Dump {
  private static void print(String line) {
    System.out.println(line.replace("\n", "\\n"));
  }

  public static void main(String[] args) {
    for (String arg : args) print("arg=" + arg);
    System.getProperties().stringPropertyNames().stream()
        .filter(
            n -> n.startsWith("t.") || n.equals("sun.java.command") || n.equals("java.class.path"))
        .sorted()
        .forEach(n -> print("prop=" + n + "=" + System.getProperty(n)));
  }
}
