// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.web;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.Reasons;
import io.hottub.protocol.Reasons.Kind;
import io.hottub.protocol.Reasons.Reason;
import io.hottub.yarn.pool.PoolObserver;
import io.hottub.yarn.pool.PoolView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pool of this node as one HTML page without other resources: what the pool service has seen
 * last, nothing of command lines, environments or users.
 */
public final class NodePage implements PoolObserver {
  private static final AtomicReference<NodePage> PUBLISHED = new AtomicReference<>();

  /** As {@code hottub ps} shows it. */
  private static final int FINGERPRINT_DIGITS = 12;

  private static final String BEGIN =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="10">
      <title>HotTub: warm JVMs of this node</title>
      <style>
      body { font: 14px/1.4 sans-serif; margin: 1.5em; color: #222; background: #fff; }
      h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin: 1.5em 0 .4em; }
      table { border-collapse: collapse; }
      th, td { border-bottom: 1px solid #ddd; padding: .2em .8em .2em 0; text-align: left; }
      td.n { text-align: right; }
      .facts { display: flex; flex-wrap: wrap; gap: .8em; }
      .facts div { border: 1px solid #ddd; border-radius: 4px; padding: .4em 1em; }
      .facts b { display: block; font-size: 1.5em; }
      svg { max-width: 1000px; width: 100%; } svg text { font-size: 11px; fill: #555; }
      .warm { fill: #2e8b57; } .first { fill: #e0a030; } .cold { fill: #4a7fb5; } .line { fill: #ddd; }
      .key { display: inline-block; width: .8em; height: .8em; margin-left: 1em; }
      .key.warm { background: #2e8b57; } .key.first { background: #e0a030; }
      .key.cold { background: #4a7fb5; }
      </style></head><body>
      <h1>HotTub: warm JVMs of this node</h1>
      """;

  private final MetricRegistry registry;
  private final LeaseHistory history = new LeaseHistory();
  private volatile PoolView view = PoolView.EMPTY;

  /**
   * @param registry has the counters of runs and JVMs
   */
  public NodePage(MetricRegistry registry) {
    this.registry = registry;
  }

  /** From now on this is the page of the node. */
  public void publish() {
    PUBLISHED.set(this);
  }

  /** There is no page any more, unless another one has been published. */
  public void withdraw() {
    PUBLISHED.compareAndSet(this, null);
  }

  static Optional<NodePage> published() {
    return Optional.ofNullable(PUBLISHED.get());
  }

  @Override
  public void scanned(PoolView now) {
    view = now;
    history.scanned(now);
  }

  @Override
  public void run(JournalEntry entry) {
    history.run(entry);
  }

  @Override
  public void reset(JournalEntry entry) {
    history.reset(entry);
  }

  @Override
  public void ended(JournalEntry entry) {
    history.ended(entry);
  }

  /** The page now. */
  String html() {
    long now = System.currentTimeMillis();
    Html html = new Html().raw(BEGIN);
    facts(html);
    html.heading("Leases")
        .raw(
            "<p><span class=\"key warm\"></span> warm <span class=\"key first\"></span> the first"
                + " of a new JVM <span class=\"key cold\"></span> cold</p>\n")
        .raw(new TimeLine(history.newest(), now).svg());
    html.heading("JVMs")
        .table(
            "jvms",
            List.of(
                "JVM",
                "State",
                "For",
                "Fingerprint",
                "Age",
                "Leases",
                "Memory",
                "Container",
                "Program"),
            view.jvms().stream().map(jvm -> row(jvm.state(), now)).toList());
    html.heading("Why runs were not warm")
        .table("cold", List.of("Reason", "Runs", "Meaning"), reasons("runs.miss.", Kind.COLD));
    html.heading("Why JVMs ended")
        .table(
            "ended",
            List.of("Reason", "JVMs", "Meaning"),
            reasons("pool.retired.", Kind.RETIRED, Kind.RETIRED_BY_SERVICE));
    return html.raw(
            "<p>Counted since this NodeManager has started. The pools of other users, which the"
                + " Linux container executor makes, are not shown.</p>\n</body></html>\n")
        .toString();
  }

  private void facts(Html html) {
    long warm = count("runs.warm");
    long first = count("runs.first");
    long cold = count("runs.cold");
    long all = warm + first + cold;
    html.raw("<div class=\"facts\">\n");
    fact(html, "hit-ratio", "of runs were warm", all == 0 ? "-" : percent(warm, all));
    fact(html, "runs", "warm, first of a JVM, cold", warm + " / " + first + " / " + cold);
    fact(html, "saved", "of CPU saved", decimal(count("runs.cpu_saved_ms") / 1e3) + " s");
    fact(
        html,
        "states",
        "JVMs leased, idle, templates",
        Stream.of(JvmState.LEASED, JvmState.IDLE, JvmState.TEMPLATE)
            .map(state -> Long.toString(view.count(state)))
            .collect(Collectors.joining(" / ")));
    fact(html, "held", "held by idle JVMs", view.heldBytes() / (1 << 20) + " MiB");
    html.raw("</div>\n");
  }

  private static void fact(Html html, String id, String meaning, String value) {
    html.raw("<div id=\"%s\"><b>%s</b>%s</div>\n".formatted(id, Html.escaped(value), meaning));
  }

  private static List<Object> row(KeeperState state, long now) {
    return Stream.<Object>of(
            state.jvmPid(),
            state.state().name(),
            state.sinceMs() == null ? null : duration(now - state.sinceMs()),
            prefix(state.fingerprint()),
            state.ageMs() == null ? null : duration(state.ageMs()),
            state.run(),
            state.heldKb() == null ? null : state.heldKb() / 1024 + " MiB",
            state.containerId(),
            simpleName(state.mainClass()))
        .map(value -> Objects.requireNonNullElse(value, "-"))
        .toList();
  }

  /** Counters of a family, the largest first, with what the table of reasons says. */
  private List<List<Object>> reasons(String prefix, Kind... kinds) {
    List<List<Object>> rows = new ArrayList<>();
    registry.getCounters((name, metric) -> name.startsWith(prefix)).entrySet().stream()
        .filter(entry -> entry.getValue().getCount() > 0)
        .sorted(Comparator.comparing(entry -> -entry.getValue().getCount()))
        .forEach(entry -> rows.add(reason(prefix, entry, kinds)));
    return rows;
  }

  private static List<Object> reason(
      String prefix, Map.Entry<String, Counter> entry, Kind... kinds) {
    String word = entry.getKey().substring(prefix.length());
    String meaning =
        Stream.of(kinds)
            .map(kind -> Reasons.of(kind, word))
            .flatMap(Optional::stream)
            .map(Reason::meaning)
            .findFirst()
            .orElse("");
    return List.of(word, entry.getValue().getCount(), meaning);
  }

  private long count(String counter) {
    return registry.counter(counter).getCount();
  }

  private static String percent(long part, long all) {
    return Math.round(100.0 * part / all) + " %";
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String duration(long ms) {
    long seconds = Math.max(0, ms) / 1000;
    if (seconds < 60) {
      return seconds + " s";
    }
    return seconds < 3600
        ? seconds / 60 + " min " + seconds % 60 + " s"
        : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
  }

  static String prefix(String fingerprint) {
    return fingerprint == null
        ? null
        : fingerprint.substring(0, Math.min(FINGERPRINT_DIGITS, fingerprint.length()));
  }

  /** The name of a class without its package. */
  static String simpleName(String mainClass) {
    return Objects.toString(mainClass, "-").replaceAll(".*[./]", "");
  }
}
