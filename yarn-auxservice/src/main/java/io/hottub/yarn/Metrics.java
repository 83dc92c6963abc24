// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.jmx.JmxReporter;

/** Registries whose metrics are on JMX, and so in the NodeManager's {@code /jmx} page. */
final class Metrics {
  private static final String DOMAIN = "hottub";

  private Metrics() {}

  /** Publishes a registry until the returned reporter is closed. */
  static JmxReporter publish(MetricRegistry registry) {
    JmxReporter reporter = JmxReporter.forRegistry(registry).inDomain(DOMAIN).build();
    reporter.start();
    return reporter;
  }
}
