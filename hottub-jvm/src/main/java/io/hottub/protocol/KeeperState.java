// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.math.BigDecimal;
import java.util.Map;

/**
 * What a keeper says of its JVM, in one answer to STATUS. Every number and text but the first three
 * may be null: unknown to the keeper.
 *
 * @param keeperPid process id of the keeper, above 0
 * @param state where the JVM is in its life
 * @param json the answer as it came, one JSON object
 * @param jvmPid process id of the pooled JVM
 * @param fingerprint 32 hexadecimal digits; only equal fingerprints are served by this JVM
 * @param mainClass what the last or current lease runs
 * @param run leases so far, the current one included
 * @param runsOk leases after which the JVM was found clean
 * @param clientPid process id of the client; this and the next two only while leased
 * @param clientPgid process group of the client
 * @param clientSid session of the client; in a YARN container the pid that YARN signals
 * @param leaseCpuUs CPU time, in microseconds, that the JVM has used since its lease began; only
 *     while leased
 * @param tenant whose runs the JVM serves; null before its first run, and for runs without a tenant
 * @param containerId YARN's name for the container of the lease; only while leased
 * @param sinceMs milliseconds since 1970 when it came into this state
 * @param idleMs milliseconds since the JVM became idle, whatever became of the clock
 * @param startedMs milliseconds since 1970 when the JVM was started
 * @param ageMs milliseconds since the JVM was started, whatever became of the clock
 * @param resetUsLast microseconds that the last reset took
 * @param leaseUsLast microseconds that the last hand-over of a lease took
 * @param retireReason why the JVM retires
 * @param rssKb resident memory of the JVM in KiB
 * @param heldKb what the pool holds for it, in KiB: of an idle clone without what it shares with
 *     its template; else, and of older keepers, {@code rssKb}
 */
public record KeeperState(
    long keeperPid,
    JvmState state,
    String json,
    Long jvmPid,
    String fingerprint,
    String mainClass,
    Long run,
    Long runsOk,
    Long clientPid,
    Long clientPgid,
    Long clientSid,
    Long leaseCpuUs,
    String tenant,
    String containerId,
    Long sinceMs,
    Long idleMs,
    Long startedMs,
    Long ageMs,
    Long resetUsLast,
    Long leaseUsLast,
    String retireReason,
    Long rssKb,
    Long heldKb) {

  /** The version of the object's layout that this class reads. */
  private static final long VERSION = 1;

  /**
   * Reads the payload of a STATE frame. Members that this class does not know are ignored, so that
   * a newer keeper may say more.
   *
   * @throws ProtocolException if it is no such object, or a known member has another type
   */
  static KeeperState parse(String json) throws ProtocolException {
    Map<String, Object> members = Json.parseObject(json);
    long version = required("version", number(members, "version"));
    if (version != VERSION) {
      throw new ProtocolException(
          "STATE of version " + version + ", this library reads " + VERSION);
    }
    long keeperPid = required("keeper_pid", number(members, "keeper_pid"));
    if (keeperPid <= 0) {
      throw new ProtocolException("STATE of a keeper with process id " + keeperPid);
    }
    return new KeeperState(
        keeperPid,
        state(required("state", text(members, "state"))),
        json,
        number(members, "jvm_pid"),
        text(members, "fingerprint"),
        text(members, "main_class"),
        number(members, "run"),
        number(members, "runs_ok"),
        number(members, "client_pid"),
        number(members, "client_pgid"),
        number(members, "client_sid"),
        number(members, "lease_cpu_us"),
        text(members, "tenant"),
        text(members, "container_id"),
        number(members, "since_ms"),
        number(members, "idle_ms"),
        number(members, "started_ms"),
        number(members, "age_ms"),
        number(members, "reset_us_last"),
        number(members, "lease_us_last"),
        text(members, "retire_reason"),
        number(members, "rss_kb"),
        number(members, members.containsKey("held_kb") ? "held_kb" : "rss_kb"));
  }

  private static <T> T required(String name, T value) throws ProtocolException {
    if (value == null) {
      throw new ProtocolException("STATE without " + name);
    }
    return value;
  }

  private static JvmState state(String name) throws ProtocolException {
    try {
      return JvmState.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new ProtocolException("STATE with unknown state \"" + name + "\"", e);
    }
  }

  private static String text(Map<String, Object> members, String name) throws ProtocolException {
    Object value = members.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw new ProtocolException("STATE: " + name + " is not a string");
  }

  private static Long number(Map<String, Object> members, String name) throws ProtocolException {
    Object value = members.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof BigDecimal number) {
      try {
        return number.longValueExact();
      } catch (ArithmeticException e) {
        throw new ProtocolException("STATE: " + name + " is not a whole number", e);
      }
    }
    throw new ProtocolException("STATE: " + name + " is not a number");
  }
}
