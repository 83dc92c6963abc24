// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.math.BigDecimal;
import java.util.Map;

/**
 * What a client tells of its run in the file {@code HOTTUB_TRACE}. What it did not know is null.
 *
 * @param pooled whether a pooled JVM serves the run
 * @param reason why it does not
 * @param jvmPid process id of the pooled JVM
 * @param fingerprint 32 hexadecimal digits; null if the run became cold before it was known
 * @param run how many runs the JVM has served, this one included
 */
public record RunTrace(boolean pooled, String reason, Long jvmPid, String fingerprint, Long run) {

  /**
   * Reads one line.
   *
   * @throws ProtocolException if the line is not a JSON object
   */
  public static RunTrace parse(String line) throws ProtocolException {
    Map<String, Object> members = Json.parseObject(line);
    return new RunTrace(
        "pool".equals(members.get("served")),
        text(members, "reason"),
        number(members, "jvm_pid"),
        text(members, "fingerprint"),
        number(members, "run"));
  }

  /** Whether the operator keeps the pool, or JVMs of this fingerprint, from being used. */
  public boolean isDrained() {
    return "drained".equals(reason);
  }

  private static String text(Map<String, Object> members, String name) {
    return members.get(name) instanceof String text ? text : null;
  }

  private static Long number(Map<String, Object> members, String name) {
    return members.get(name) instanceof BigDecimal number ? (Long) number.longValue() : null;
  }
}
