// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

/** Environment variables that the client reads; {@code docs/protocol.md} says what they do. */
public final class ClientVariables {
  /** Root of the pool. */
  public static final String POOL_ROOT = "HOTTUB_DIR";

  /** Who may share a JVM: the YARN user of a container. */
  public static final String TENANT = "HOTTUB_TENANT";

  /**
   * {@link PoolLimits#variable()} of a node whose pool service cannot write into the user's pool.
   */
  public static final String LIMITS = "HOTTUB_LIMITS";

  /** A file to which the client adds one line for its run. */
  public static final String TRACE = "HOTTUB_TRACE";

  /** "off": the run is cold; "new": it starts a JVM of its own in the pool. */
  public static final String MODE = "HOTTUB";

  /** The {@link Isolation} of the run. */
  public static final String ISOLATION = "HOTTUB_ISOLATION";

  /**
   * "1": the run is one of a recipe, and may train a JVM also where isolation is {@link
   * Isolation#STRICT}.
   */
  public static final String TRAINING = "HOTTUB_TRAINING";

  private ClientVariables() {}
}
