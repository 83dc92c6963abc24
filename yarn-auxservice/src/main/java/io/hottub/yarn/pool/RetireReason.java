// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

/** Why the pool service ends a JVM. */
public enum RetireReason {
  IDLE_TOO_LONG("idle"),
  TOO_MANY_LEASES("max-leases"),
  TOO_MANY_JVMS("max-jvms"),
  TOO_MANY_OF_FINGERPRINT("max-jvms-per-fingerprint"),
  TOO_MANY_OF_TENANT("max-jvms-per-tenant"),
  TOO_OLD("max-age"),
  MEMORY_BUDGET("idle-memory"),
  MEMORY_PRESSURE("memory-pressure"),
  DRAINED("drained"),
  SERVICE_STOPS("service-stop");

  private final String label;

  RetireReason(String label) {
    this.label = label;
  }

  /** The name in logs and metrics. */
  public String label() {
    return label;
  }
}
