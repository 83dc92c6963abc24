// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import io.hottub.it.harness.NeedsHome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thread.stop within the class library leaves nothing half done. When it comes is chance. */
@NeedsHome
@Tag("long")
class StoppedIT {
  private final ExhaustedIT runs = new ExhaustedIT();

  @BeforeEach
  void createPool() throws Exception {
    runs.createPool();
  }

  @AfterEach
  void closePool() throws Exception {
    runs.closePool();
  }

  /** Each begins with another part of the class library. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30})
  void theNextRunFindsTheClassLibraryWhole(int first) throws Exception {
    runs.theNextRunFindsTheClassLibraryWhole("stop", Integer.toString(first));
  }
}
