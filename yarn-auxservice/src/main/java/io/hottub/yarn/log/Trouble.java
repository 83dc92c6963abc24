// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.log;

import org.slf4j.Logger;

/**
 * A trouble that may last from one turn to the next. The log has it when it begins, when its cause
 * becomes another one, and when it is over.
 */
public final class Trouble {
  private final Logger log;
  private final String begins;
  private final String ends;
  private String told = "";

  /**
   * None as yet.
   *
   * @param log of the class in trouble
   * @param begins what is said of it, with its cause
   * @param ends what is said when it is over
   */
  public Trouble(Logger log, String begins, String ends) {
    this.log = log;
    this.begins = begins;
    this.ends = ends;
  }

  /** It is there, or still there. */
  public synchronized void is(Throwable cause) {
    if (told.equals(cause.toString())) {
      log.debug("Still: {}", begins, cause);
    } else {
      told = cause.toString();
      log.warn(begins, cause);
    }
  }

  /** The same where no stack tells more than the words. */
  public synchronized void is(String cause) {
    if (!told.equals(cause)) {
      told = cause;
      log.warn("{}: {}", begins, cause);
    }
  }

  /** It is not there, or not any more. */
  public synchronized void isOver() {
    if (isOn()) {
      told = "";
      log.info(ends);
    }
  }

  public synchronized boolean isOn() {
    return !told.isEmpty();
  }
}
