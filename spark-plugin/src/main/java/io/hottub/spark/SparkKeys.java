// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

/** Settings of a Spark application that HotTub reads. */
public final class SparkKeys {
  /**
   * {@code true}: the application's containers run in pooled JVMs. The one setting that a user
   * needs; the NodeManager and the plug-in both read it.
   */
  public static final String ENABLED = "spark.hottub.enabled";

  /**
   * HotTub home on the nodes. Only for clusters whose NodeManagers do not route containers by
   * themselves.
   */
  public static final String HOME = "spark.hottub.home";

  /**
   * {@code reuse} or {@code clone}: how the application's JVMs are served; else as the nodes have
   * it. The NodeManager and the plug-in both read it.
   */
  public static final String ISOLATION = "spark.hottub.isolation";

  private SparkKeys() {}
}
