// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.JournalEntry;

/** Who is told what the pool service sees and does. Each method by default does nothing. */
public interface PoolObserver {
  /** The pool as a scan found it; the journal has been read up to now. */
  default void scanned(PoolView view) {}

  /** The journal tells of a run, when it has begun. */
  default void run(JournalEntry entry) {}

  /** The journal tells of a reset, after a run. */
  default void reset(JournalEntry entry) {}

  /** The journal tells that a JVM has retired or crashed. */
  default void ended(JournalEntry entry) {}

  /** A JVM was told to end. */
  default void retiring(long keeperPid, RetireReason reason) {}

  /** Something went wrong that should not, and was survived. */
  default void failed() {}
}
