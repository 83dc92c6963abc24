// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.web;

import io.hottub.yarn.web.LeaseHistory.Lease;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Leases as bars, one line a JVM, and below them the moments of cold runs. Clones of a fingerprint
 * come after each other in as few lines as they need.
 */
final class TimeLine {
  /** The longest time that is shown. */
  static final long WINDOW_MS = 15 * 60 * 1000;

  private static final long SHORTEST_MS = 10_000;
  private static final int MAX_LINES = 40;
  private static final int LEFT = 150;
  private static final int WIDTH = 840;
  private static final int LINE = 18;

  private final long nowMs;
  private final long fromMs;
  private final Map<String, List<Lease>> lines = new LinkedHashMap<>();

  TimeLine(List<Lease> leases, long nowMs) {
    this.nowMs = nowMs;
    List<Lease> shown =
        leases.stream().filter(lease -> endMs(lease, nowMs) > nowMs - WINDOW_MS).toList();
    long oldest = shown.stream().mapToLong(Lease::beginMs).min().orElse(nowMs);
    fromMs = Math.max(nowMs - WINDOW_MS, Math.min(oldest, nowMs - SHORTEST_MS));
    List<Lease> cold = new ArrayList<>();
    for (Lease lease : shown) {
      if (lease.isCold()) {
        cold.add(lease);
      } else {
        lines.computeIfAbsent(line(lease), line -> new ArrayList<>()).add(lease);
      }
    }
    while (lines.size() > MAX_LINES) {
      lines.remove(lines.keySet().iterator().next());
    }
    if (!cold.isEmpty()) {
      lines.put("cold", cold);
    }
  }

  private String line(Lease lease) {
    if (!lease.isClone()) {
      return "JVM " + lease.jvmPid();
    }
    String name = "clone " + NodePage.prefix(lease.fingerprint());
    int lane = 1;
    while (isTaken(name + " " + lane, lease.beginMs())) {
      lane++;
    }
    return name + " " + lane;
  }

  /** Leases come in the order in which they begin. */
  private boolean isTaken(String line, long ms) {
    List<Lease> leases = lines.getOrDefault(line, List.of());
    return !leases.isEmpty() && endMs(leases.get(leases.size() - 1), nowMs) > ms;
  }

  private static long endMs(Lease lease, long nowMs) {
    if (lease.endMs() != null) {
      return lease.endMs();
    }
    return lease.isCold() ? lease.beginMs() : nowMs;
  }

  private double x(long ms) {
    return LEFT + (double) WIDTH * (Math.max(ms, fromMs) - fromMs) / (nowMs - fromMs);
  }

  String svg() {
    int height = lines.size() * LINE + 20;
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg id=\"leases\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"leases\">\n"
            .formatted(LEFT + WIDTH + 10, height));
    int y = 0;
    for (Map.Entry<String, List<Lease>> line : lines.entrySet()) {
      svg.append("<text x=\"0\" y=\"%d\">%s</text>".formatted(y + 13, line.getKey()));
      svg.append(
          "<rect class=\"line\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"1\"/>\n"
              .formatted(LEFT, y + 9, WIDTH));
      for (Lease lease : line.getValue()) {
        svg.append(bar(lease, y));
      }
      y += LINE;
    }
    svg.append(
        "<text x=\"%d\" y=\"%d\">%d s ago</text>".formatted(LEFT, y + 14, seconds(nowMs - fromMs)));
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">now</text>\n</svg>\n"
            .formatted(LEFT + WIDTH, y + 14));
    return svg.toString();
  }

  private String bar(Lease lease, int y) {
    long end = endMs(lease, nowMs);
    double width = Math.max(3, x(end) - x(lease.beginMs()));
    String kind = lease.isCold() ? "cold" : lease.warm() ? "warm" : "first";
    return String.format(
        Locale.ROOT,
        "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\"><title>%s</title></rect>\n",
        kind,
        x(lease.beginMs()),
        y + 3,
        width,
        Html.escaped(title(lease, kind, end)));
  }

  private static String title(Lease lease, String kind, long end) {
    String program = NodePage.simpleName(lease.mainClass());
    if (lease.isCold()) {
      return program + ": cold: " + lease.reason();
    }
    String where = lease.container() == null ? "" : ", " + lease.container();
    String by = lease.isClone() ? "clone " + lease.jvmPid() : "lease " + lease.run();
    return "%s: %s, %s, %.1f s%s"
        .formatted(program, kind, by, (end - lease.beginMs()) / 1e3, where);
  }

  private static long seconds(long ms) {
    return ms / 1000;
  }
}
