// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Metrics in the text format of Prometheus, version 0.0.4. */
final class PrometheusText {
  /** Families of metrics whose last word is the value of a label. */
  private static final Map<String, String> LABELS =
      Map.of(
          "pool.jvms", "state",
          "pool.rss_bytes", "state",
          "pool.retired", "reason",
          "pool.left", "class",
          "recipes.failed", "reason",
          "recipes.revoked", "reason",
          "recipes.skipped", "reason",
          "runs.miss", "reason",
          "runs.reset_phase", "phase");

  private static final double[] QUANTILES = {0.5, 0.95, 0.99};

  /** Samples by family, so that each family is in one piece as the format demands. */
  private final Map<String, Family> families = new TreeMap<>();

  private PrometheusText() {}

  private static final class Family {
    final String type;
    final StringBuilder samples = new StringBuilder();

    Family(String type) {
      this.type = type;
    }
  }

  /** The name of a metric, and the label that was its last word; "" for none. */
  private record Name(String family, String label) {
    static Name of(String metric) {
      int dot = metric.lastIndexOf('.');
      String label = dot < 0 ? null : LABELS.get(metric.substring(0, dot));
      if (label == null) {
        return new Name(plain(metric), "");
      }
      String value = metric.substring(dot + 1).replace('/', '.'); // names of classes
      return new Name(plain(metric.substring(0, dot)), label + "=\"" + value + "\"");
    }

    private static String plain(String text) {
      return "hottub_" + text.replaceAll("[^a-zA-Z0-9_]", "_");
    }
  }

  static String of(List<MetricRegistry> registries) {
    PrometheusText text = new PrometheusText();
    registries.forEach(text::add);
    StringBuilder out = new StringBuilder();
    text.families.forEach(
        (name, family) ->
            out.append("# TYPE ")
                .append(name)
                .append(' ')
                .append(family.type)
                .append('\n')
                .append(family.samples));
    return out.toString();
  }

  private void add(MetricRegistry registry) {
    registry
        .getGauges()
        .forEach(
            (metric, gauge) -> {
              Name name = Name.of(metric);
              if (gauge.getValue() instanceof Number value) {
                sample(name.family(), "gauge", "", name.label(), value);
              }
            });
    registry
        .getCounters()
        .forEach(
            (metric, counter) -> {
              Name name = Name.of(metric);
              sample(name.family() + "_total", "counter", "", name.label(), counter.getCount());
            });
    registry
        .getHistograms()
        .forEach(
            (metric, histogram) ->
                summary(Name.of(metric), histogram.getSnapshot(), histogram.getCount()));
  }

  private void summary(Name name, Snapshot snapshot, long count) {
    for (double quantile : QUANTILES) {
      String label = "quantile=\"" + quantile + "\"";
      String labels = name.label().isEmpty() ? label : name.label() + "," + label;
      sample(name.family(), "summary", "", labels, snapshot.getValue(quantile));
    }
    sample(name.family(), "summary", "_count", name.label(), count);
  }

  private void sample(String family, String type, String suffix, String labels, Number value) {
    families
        .computeIfAbsent(family, key -> new Family(type))
        .samples
        .append(family)
        .append(suffix)
        .append(labels.isEmpty() ? "" : "{" + labels + "}")
        .append(' ')
        .append(value)
        .append('\n');
  }
}
