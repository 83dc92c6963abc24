// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;

/** There is no place for the pool: the runs of this user are cold, for the same reason. */
public final class NoPoolException extends IOException {
  private static final long serialVersionUID = 1L;

  static final String NONE = "no-pool-directory";
  static final String UNSAFE = "pool-directory-unsafe";

  private final String reason;
  private final String details;

  /**
   * @param details what is wrong with which folder
   */
  NoPoolException(String reason, String details) {
    super(
        "no pool can be used, runs are cold (%s): %s; what to do: %s"
            .formatted(reason, details, advice(reason)));
    this.reason = reason;
    this.details = details;
  }

  private static String advice(String reason) {
    return Reasons.of(Reasons.Kind.COLD, reason).map(Reasons.Reason::advice).orElse("-");
  }

  /** The word for it in the table of reasons. */
  public String reason() {
    return reason;
  }

  /** What is wrong with which folder. */
  public String details() {
    return details;
  }

  /** What the operator can do. */
  public String advice() {
    return advice(reason);
  }
}
