// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.jmx.JmxReporter;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Registries whose metrics are on JMX, and so in the NodeManager's {@code /jmx} page, and in the
 * Prometheus page.
 */
public final class Metrics {
  private static final String DOMAIN = "hottub";
  private static final List<MetricRegistry> PUBLISHED = new CopyOnWriteArrayList<>();

  private Metrics() {}

  /** A registry that is public. */
  public interface Publication extends Closeable {
    @Override
    void close();
  }

  /** Publishes a registry until the result is closed. */
  public static Publication publish(MetricRegistry registry) {
    JmxReporter reporter = JmxReporter.forRegistry(registry).inDomain(DOMAIN).build();
    reporter.start();
    PUBLISHED.add(registry);
    return () -> {
      PUBLISHED.remove(registry);
      reporter.close();
    };
  }

  /**
   * Makes counters at 0, before they count: to Prometheus one that appears with 1 has not
   * increased.
   */
  public static void begin(MetricRegistry registry, String... counters) {
    for (String counter : counters) {
      registry.counter(counter);
    }
  }

  /** All of them: the service's own, and the executor's where the two share a class path. */
  static List<MetricRegistry> published() {
    return PUBLISHED;
  }
}
