// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

/** Settings of a MapReduce job that HotTub reads. */
public final class MapReduceKeys {
  /**
   * {@code true}: the job's application master and its tasks run in pooled JVMs. The one setting
   * that a user needs.
   */
  public static final String ENABLED = "mapreduce.hottub.enabled";

  /**
   * {@code reuse}, {@code clone} or {@code strict}: how the job's JVMs are served; else as the
   * nodes have it.
   */
  public static final String ISOLATION = "mapreduce.hottub.isolation";

  private MapReduceKeys() {}
}
