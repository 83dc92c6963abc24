// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryPressureTest {
  @TempDir private Path work;

  @ParameterizedTest
  @CsvSource({"0.00,false", "10.00,false", "10.01,true", "99.12,true"})
  void aboveTheShareItIsHigh(String average, boolean high) throws Exception {
    Path file = work.resolve("memory");
    Files.writeString(
        file,
        """
        some avg10=%s avg60=99.00 avg300=99.00 total=1
        full avg10=99.00 avg60=99.00 avg300=99.00 total=1
        """
            .formatted(average));
    assertEquals(high, new MemoryPressure(file, 10).isHigh());
  }

  @Test
  void whereTheKernelDoesNotTellItIsLow() throws Exception {
    assertFalse(new MemoryPressure(work.resolve("none"), 1).isHigh());
    assertFalse(new MemoryPressure(Files.writeString(work.resolve("x"), "?"), 1).isHigh());
    assertFalse(new MemoryPressure(work, 1).isHigh());
  }
}
