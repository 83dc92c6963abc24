// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

/**
 * What a client tells of its run in the file {@code HOTTUB_TRACE}. What it did not know is null.
 *
 * @param pooled whether a pooled JVM serves the run
 * @param reason why it does not
 * @param jvmPid process id of the pooled JVM
 * @param fingerprint 32 hexadecimal digits; null if the run became cold before it was known
 * @param run how many runs the JVM has served, this one included
 * @param isolation null for a cold run
 * @param warm whether a trained JVM serves the run
 */
public record RunTrace(
    boolean pooled,
    String reason,
    Long jvmPid,
    String fingerprint,
    Long run,
    Isolation isolation,
    boolean warm) {

  /**
   * Reads one line.
   *
   * @throws ProtocolException if the line is not a JSON object
   */
  public static RunTrace parse(String line) throws ProtocolException {
    JournalEntry members = new JournalEntry(Json.parseObject(line));
    return new RunTrace(
        "pool".equals(members.text("served")),
        members.text("reason"),
        members.number("jvm_pid"),
        members.text("fingerprint"),
        members.number("run"),
        members.isolation(),
        members.isWarm());
  }

  /** Whether the operator keeps the pool, or JVMs of this fingerprint, from being used. */
  public boolean isDrained() {
    return "drained".equals(reason);
  }
}
