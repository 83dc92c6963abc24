// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of the journal. Members that are missing, or of another type than expected, are null: a
 * line tells what its writer knew.
 */
public final class JournalEntry {
  private final Map<String, Object> members;

  JournalEntry(Map<String, Object> members) {
    this.members = members;
  }

  /**
   * Reads one line.
   *
   * @throws ProtocolException if the line is not a JSON object with an event
   */
  public static JournalEntry parse(String line) throws ProtocolException {
    JournalEntry entry = new JournalEntry(Json.parseObject(line));
    if (entry.event() == null) {
      throw new ProtocolException("a journal line without an event");
    }
    return entry;
  }

  /** {@code run}, {@code reset}, {@code retired}, {@code crash}, or what a newer version writes. */
  public String event() {
    return text("event");
  }

  public String text(String name) {
    return members.get(name) instanceof String text ? text : null;
  }

  public Long number(String name) {
    return members.get(name) instanceof BigDecimal number ? (Long) number.longValue() : null;
  }

  /** How a run was isolated; null where it was cold, and in lines of older versions. */
  public Isolation isolation() {
    return Isolation.of(text("isolation")).orElse(null);
  }

  /**
   * Whether a trained JVM has served a run. In lines of older versions only the number of the run
   * tells.
   */
  public boolean isWarm() {
    if (members.get("warm") instanceof Boolean warm) {
      return warm;
    }
    Long run = number("run");
    return run != null && run > 1;
  }

  /** The numbers of a nested object; empty if there is none. */
  public Map<String, Long> numbers(String name) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    if (members.get(name) instanceof Map<?, ?> object) {
      object.forEach(
          (key, value) -> {
            if (value instanceof BigDecimal number) {
              numbers.put((String) key, number.longValue());
            }
          });
    }
    return numbers;
  }
}
