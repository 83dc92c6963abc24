// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.tez;

/** Settings of a Tez application that HotTub reads. */
public final class TezKeys {
  /**
   * {@code true}: the application's containers run in pooled JVMs. The one setting that a user
   * needs; the NodeManager and {@link HotTubTez} both read it.
   */
  public static final String ENABLED = "tez.hottub.enabled";

  /**
   * HotTub home on the nodes. Only for clusters whose NodeManagers do not route containers by
   * themselves.
   */
  public static final String HOME = "tez.hottub.home";

  /**
   * {@code reuse} or {@code clone}: how the application's JVMs are served; else as the nodes have
   * it. The NodeManager and {@link HotTubTez} both read it.
   */
  public static final String ISOLATION = "tez.hottub.isolation";

  private TezKeys() {}
}
