// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import io.hottub.it.faults.RealJobs.Engine;
import java.util.List;

/**
 * A disturbance of a job.
 *
 * @param name says it
 * @param family what it is counted with
 * @param like the name of that on stock JVMs with which it is compared; its own, or the nearest one
 * @param master whether the victim is the application master's container, or a task's
 * @param isFatal whether the victim is to end by it, and how that looks is compared, too
 * @param share how often it is to happen in relation to the others
 * @param moments when it may happen
 * @param engines of the jobs to which it may happen
 * @param act does it
 */
record JobFault(
    String name,
    String family,
    String like,
    boolean master,
    boolean isFatal,
    int share,
    List<Moment> moments,
    List<Engine> engines,
    Act act) {

  /** Whether stock JVMs have nothing to which it could be done. */
  boolean isOfPool() {
    return !like.equals(name);
  }

  /** When a job is disturbed. */
  enum Moment {
    /** The victim's java has been started. */
    STARTING("as it starts"),
    /** Two tasks have begun, and wait. */
    AT_WORK("at work"),
    /** They were let go. */
    ENDING("as it ends");

    private final String words;

    Moment(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** Does something to a job. */
  interface Act {
    /** False if there was nobody to whom it could be done. */
    boolean disturb(JobScene scene) throws Exception;
  }
}
