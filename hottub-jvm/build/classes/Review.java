// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.tree.ClassNode;
import jdk.internal.org.objectweb.asm.tree.FieldNode;

/** The classes that rules want, beside what somebody has said of them. */
final class Review {
  private final Verdicts verdicts;

  /** Lists by classes. */
  private final Map<String, String> found = new TreeMap<>();

  /** Classes, with the beginnings of their lines: one for each field, or one without a field. */
  private final Map<String, List<String>> lines = new TreeMap<>();

  Review(Rules rules, Jdk jdk, Verdicts verdicts) {
    this.verdicts = verdicts;
    Kinds kinds = new Kinds(jdk);
    for (ClassNode node : jdk.classes().values()) {
      String list = rules.listOf(node.name);
      if (list != null) {
        found.put(node.name, list);
        if (!list.equals("copies")) {
          lines.put(node.name, linesOf(node, list, kinds));
        }
      }
    }
  }

  private static List<String> linesOf(ClassNode node, String list, Kinds kinds) {
    Map<String, String> fields = new TreeMap<>();
    for (FieldNode field : node.fields) {
      if ((field.access & Opcodes.ACC_STATIC) != 0 && field.value == null) {
        String kind = kinds.of(node, field).toString().toLowerCase(java.util.Locale.ROOT);
        fields.put(field.name, kind);
      }
    }
    List<String> lines = new ArrayList<>();
    fields.forEach(
        (field, kind) -> lines.add(String.join("\t", node.name + "." + field, list, kind)));
    if (lines.isEmpty()) {
      lines.add(String.join("\t", node.name, list, "none"));
    }
    return lines;
  }

  /**
   * Those that somebody has looked at. Others are reset like any class that nobody knows. A field
   * that is new in a class of kept or given changes nothing for the class, whose state the JVM
   * needs.
   */
  Map<String, String> reviewed() {
    Map<String, String> reviewed = new LinkedHashMap<>();
    Set<String> known =
        verdicts.byLine().keySet().stream().map(Review::classOf).collect(Collectors.toSet());
    found.forEach(
        (name, list) -> {
          List<String> ofClass = lines.getOrDefault(name, List.of());
          boolean isKnown =
              Rules.isKept(list) ? known.contains(name) : ofClass.stream().allMatch(this::isFine);
          if (isKnown) {
            reviewed.put(name, list);
          }
        });
    return reviewed;
  }

  private static String classOf(String line) {
    String name = line.substring(0, line.indexOf('\t'));
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private boolean isFine(String line) {
    String verdict = verdicts.byLine().get(line);
    return verdict != null && (!needsReason(line) || Verdicts.isReason(verdict));
  }

  private static boolean needsReason(String line) {
    return Kinds.Kind.valueOf(
            line.substring(line.lastIndexOf('\t') + 1).toUpperCase(java.util.Locale.ROOT))
        .needsReason();
  }

  /** What this JDK has and the verdicts do not, and the other way round. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    Set<String> gone = new TreeSet<>(verdicts.byLine().keySet());
    lines.forEach(
        (name, ofClass) -> {
          for (String line : ofClass) {
            if (!gone.remove(line)) {
              problems.add("new: " + line);
            } else if (!isFine(line)) {
              problems.add("without a verdict: " + line);
            }
          }
        });
    gone.forEach(line -> problems.add("gone: " + line));
    return problems;
  }

  /** The file of verdicts with a question mark for what somebody has to look at. */
  String text() {
    List<String> text = new ArrayList<>(verdicts.header());
    lines.values().stream()
        .flatMap(List::stream)
        .map(
            line ->
                line
                    + "\t"
                    + (isFine(line) ? verdicts.byLine().get(line) : needsReason(line) ? "?" : ""))
        .forEach(text::add);
    return String.join("\n", text) + "\n";
  }
}
