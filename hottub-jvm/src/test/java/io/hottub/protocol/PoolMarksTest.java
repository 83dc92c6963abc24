// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drained by the operator of the node, by the cluster, or by both. */
class PoolMarksTest {
  private static final String A = "a".repeat(32);
  private static final String B = "b".repeat(32);
  private static final String C = "c".repeat(32);

  private TempPool temp;
  private PoolMarks marks;

  @BeforeEach
  void create() throws IOException {
    temp = new TempPool();
    marks = new PoolMarks(temp.pool());
  }

  @AfterEach
  void remove() throws IOException {
    temp.close();
  }

  @Test
  void theClusterDrainsExactlyWhatItSays() throws Exception {
    assertTrue(marks.drainForCluster(true, Set.of(A, B)));
    assertFalse(marks.drainForCluster(true, Set.of(A, B)), "it is so");
    assertEquals(List.of(true, true, true), drained());
    assertTrue(marks.drainForCluster(false, Set.of(B, C)));
    assertEquals(List.of(false, false, true), drained());
    assertTrue(marks.isDrained(C));
    assertTrue(marks.drainForCluster(false, Set.of()));
    assertEquals(List.of(false, false, false), drained());
  }

  private List<Boolean> drained() {
    return List.of(marks.isDrained(), marks.isDrained(A), marks.isDrained(B));
  }

  @Test
  void whatTheOperatorHasDrainedStays() throws Exception {
    marks.drain();
    marks.drain(A);
    marks.drainForCluster(true, Set.of(A, B));
    marks.drainForCluster(false, Set.of());
    assertEquals(List.of(true, true, false), drained());
    marks.undrain();
    marks.undrain(A);
    assertEquals(List.of(false, false, false), drained());
  }

  @Test
  void theOperatorDrainsWhatTheClusterHasDrained() throws Exception {
    marks.drainForCluster(true, Set.of(A));
    marks.drain();
    marks.drain(A);
    marks.drainForCluster(false, Set.of());
    assertEquals(List.of(true, true, false), drained());
  }

  @Test
  void onlyFingerprintsHaveFolders() {
    assertThrows(IOException.class, () -> marks.drainForCluster(false, Set.of("../" + A)));
  }
}
