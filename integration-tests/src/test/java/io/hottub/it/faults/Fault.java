// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import java.util.Random;

/** One kind of disturbance of a pool or its node. */
interface Fault {
  /**
   * Disturbs one or more jobs and waits for their end.
   *
   * @param random all choices come from it, so that the seed repeats them
   * @throws AssertionError if a job has ended in a way that a stock JVM would not have
   */
  Injection inject(Random random) throws Exception;

  /**
   * What was done.
   *
   * @param detail the choices
   * @param reached whether the disturbance took place; a run may be over before
   * @param end how the job has ended
   */
  record Injection(String detail, boolean reached, String end) {}
}
