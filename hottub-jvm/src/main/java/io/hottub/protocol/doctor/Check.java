// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import java.io.IOException;

/** One thing that can be wrong with HotTub on a machine. It changes nothing that others see. */
public interface Check {
  /** What it is called in tables and for programs. It never changes. */
  String name();

  /** What has to be so, for the documentation. */
  String right();

  /**
   * Looks at it.
   *
   * @throws IOException if that cannot be done; the message says why
   */
  Finding look() throws IOException;
}
