// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.yarn.log.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
  void whatCannotBeReadForAMomentIsReadLater() throws Exception {
    Path file = Files.writeString(work.resolve("memory"), "some avg10=99.00 avg60=0 total=1");
    Path aside = work.resolve("aside");
    MemoryPressure pressure = new MemoryPressure(file, 10);
    try (LogLines lines = new LogLines(MemoryPressure.class)) {
      Files.move(file, aside);
      Files.createDirectory(file);
      assertFalse(pressure.isHigh());
      assertFalse(pressure.isHigh());
      Files.delete(file);
      Files.writeString(file, "?");
      assertFalse(pressure.isHigh());
      Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
      assertTrue(pressure.isHigh());
      assertTrue(pressure.isHigh());
      assertEquals(3, lines.get().size(), lines.get().toString());
      assertEquals("INFO " + file + " can be read again", lines.get().get(2));
    }
  }

  @Test
  void whereTheKernelDoesNotTellItIsLow() throws Exception {
    assertFalse(new MemoryPressure(work.resolve("none"), 1).isHigh());
    assertFalse(new MemoryPressure(Files.writeString(work.resolve("x"), "?"), 1).isHigh());
    assertFalse(new MemoryPressure(work, 1).isHigh());
  }
}
