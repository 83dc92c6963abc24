// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.tez;

/**
 * Settings of a Tez application, which the NodeManager reads. Tez and YARN call nothing in a client
 * that could lead an application's containers into the pool.
 */
public final class TezKeys {
  /**
   * {@code true}: the application's containers run in pooled JVMs. The one setting that a user
   * needs.
   */
  public static final String ENABLED = "tez.hottub.enabled";

  /**
   * {@code reuse}, {@code clone} or {@code strict}: how the application's JVMs are served; else as
   * the nodes have it.
   */
  public static final String ISOLATION = "tez.hottub.isolation";

  private TezKeys() {}
}
