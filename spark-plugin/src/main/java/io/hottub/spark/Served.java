// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

/**
 * How a JVM was served.
 *
 * @param text in words for a person
 * @param reason why not by a warm JVM of the pool: a word of the table of reasons, or {@link #NEW};
 *     empty if it was warm, or if nobody knows whether it was
 */
record Served(String text, String reason) {
  /** A JVM was started for the pool, and for this run. */
  static final String NEW = "new";

  static Served byPool(String text) {
    return new Served(text, "");
  }

  static Served byNewJvm(String text) {
    return new Served(text, NEW);
  }

  static Served cold(String reason) {
    return new Served("cold: " + reason, reason);
  }

  /**
   * As a message to the driver: without classes of ours, which would have to be equal on both
   * sides.
   */
  String[] message(String executor) {
    return new String[] {executor, text, reason};
  }
}
