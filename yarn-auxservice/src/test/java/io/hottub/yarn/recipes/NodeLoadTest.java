// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hottub.yarn.pool.MemoryPressure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeLoadTest {
  @TempDir private Path folder;
  private Path stat;
  private Path pressure;

  @BeforeEach
  void idleNode() throws IOException {
    stat = folder.resolve("stat");
    pressure = folder.resolve("memory");
    ticks(1_000, 9_000);
    available(10);
    Files.writeString(pressure, "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
  }

  /** As in a kernel whose processors were busy and idle for so many hundredths of a second. */
  private void ticks(long busy, long idle) throws IOException {
    long user = busy - 30;
    Files.writeString(
        stat, "cpu  %d 10 10 %d 0 5 5 0 77 7\ncpu0 1 2 3 4 5 6 7 8 9 0\n".formatted(user, idle));
  }

  private void available(int percent) throws IOException {
    String format = "MemTotal:        1000000 kB\nMemFree: 1 kB\nMemAvailable:    %d kB\n";
    Files.writeString(folder.resolve("meminfo"), format.formatted(10_000 * percent));
  }

  private NodeLoad load(int percent) throws IOException {
    NodeLoad load = new NodeLoad(folder, new MemoryPressure(pressure, 10), percent);
    load.begin();
    return load;
  }

  private static Optional<String> afterAWindow(NodeLoad load, Duration own) throws Exception {
    Thread.sleep(NodeLoad.WINDOW.toMillis());
    return load.busy(own);
  }

  @Test
  void whatTheWarmingItselfUsesDoesNotCount() throws Exception {
    NodeLoad load = load(50);
    ticks(1_150, 9_050);
    assertEquals(Optional.empty(), load.busy(Duration.ZERO), "before the window is over");
    assertEquals(Optional.empty(), afterAWindow(load, Duration.ofMillis(600)));
    ticks(1_300, 9_100);
    assertEquals(Optional.of("cpu"), afterAWindow(load, Duration.ofMillis(600)));
  }

  @Test
  void oneHundredPercentIsNeverExceeded() throws Exception {
    NodeLoad load = load(100);
    ticks(9_000, 9_000);
    assertEquals(Optional.empty(), afterAWindow(load, Duration.ZERO));
  }

  @Test
  void memoryThatIsShort() throws Exception {
    NodeLoad load = load(50);
    Files.writeString(pressure, "some avg10=50.00 avg60=0.00 avg300=0.00 total=0\n");
    assertEquals(Optional.of("memory"), load.busy(Duration.ZERO));
  }

  /** Earlier than idle JVMs end for it. */
  @Test
  void memoryOfWhichHardlyAnyIsLeft() throws Exception {
    NodeLoad load = load(50);
    assertEquals(Optional.empty(), load.busy(Duration.ZERO));
    available(9);
    assertEquals(Optional.of("memory"), load.busy(Duration.ZERO));
  }

  @Test
  void aContainerThatIsAboutToStart() throws Exception {
    NodeLoad load = load(50);
    assertEquals(Optional.empty(), load.busy(Duration.ZERO));
    load.containerStarts();
    assertEquals(Optional.of("container"), load.busy(Duration.ZERO));
  }

  @Test
  void aKernelThatTellsSomethingElse() throws Exception {
    Files.writeString(stat, "intr 1 2 3\n");
    assertThrows(IOException.class, () -> load(50));
  }
}
