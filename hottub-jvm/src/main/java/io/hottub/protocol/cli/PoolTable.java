// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import io.hottub.protocol.Clones;
import io.hottub.protocol.KeeperState;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The pool as a table in the manner of {@code ps}. */
final class PoolTable {
  private static final List<String> HEADINGS =
      List.of(
          "JVM",
          "KEEPER",
          "STATE",
          "SINCE",
          "RUN",
          "RSS",
          "CLIENT",
          "FINGERPRINT",
          "CLONE-OF",
          "CONTAINER",
          "MAIN");

  /** Enough to tell the fingerprints of one node apart. */
  private static final int FINGERPRINT_DIGITS = 12;

  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param nowMs milliseconds since 1970
   */
  PoolTable(List<KeeperState> states, long nowMs) {
    rows.add(HEADINGS);
    Clones clones = new Clones(states);
    for (KeeperState state : states) {
      rows.add(row(state, clones, nowMs));
    }
  }

  private static List<String> row(KeeperState state, Clones clones, long nowMs) {
    return List.of(
        orDash(state.jvmPid()),
        Long.toString(state.keeperPid()),
        state.state().name(),
        state.sinceMs() == null ? "-" : seconds(nowMs - state.sinceMs()),
        orDash(state.run()),
        state.heldKb() == null ? "-" : mebibytes(state.heldKb()),
        orDash(state.clientPid()),
        state.fingerprint() == null ? "-" : prefix(state.fingerprint()),
        orDash(clones.templateOf(state).map(KeeperState::jvmPid).orElse(null)),
        orDash(state.containerId()),
        orDash(state.mainClass()));
  }

  private static String orDash(Object value) {
    return value == null ? "-" : printable(value.toString());
  }

  /** A main class can have any name; what controls a terminal must not reach it. */
  private static String printable(String text) {
    return text.replaceAll("[^\\x21-\\x7e]", "?");
  }

  /** As {@link #printable}, for a text of several words. */
  static String line(String text) {
    return text.replaceAll("[^\\x20-\\x7e]", "?");
  }

  private static String prefix(String fingerprint) {
    String shown = printable(fingerprint);
    return shown.substring(0, Math.min(FINGERPRINT_DIGITS, shown.length()));
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1fs", millis / 1000.0);
  }

  private static String mebibytes(long kibibytes) {
    return kibibytes / 1024 + "M";
  }

  void print(PrintStream out) {
    int[] widths = new int[HEADINGS.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 1));
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
