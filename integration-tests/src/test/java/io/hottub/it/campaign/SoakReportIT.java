// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The soak finds JVMs that hold more and more. */
class SoakReportIT {
  @TempDir Path folder;

  /**
   * A sample every 30 runs: what is beside descriptors, threads, metaspace, code and heap is RSS.
   */
  private List<String> beyond(double... growth) throws Exception {
    double[] start = {20, 21, 102_400, 10_240, 10_240, 10_240, 1_000};
    List<String> rows =
        IntStream.range(0, 10)
            .mapToObj(
                i -> {
                  long[] now = new long[start.length];
                  for (int q = 0; q < start.length; q++) {
                    // The first third is warm-up.
                    now[q] = Math.round(start[q] * (1 + growth[q] * Math.max(0, i - 3) / 6));
                  }
                  return "javac\t%d\t77\t%<d\t%d\t%d\t%d\t%<d\t%d\t%d\t%d\t%d"
                      .formatted(i * 30, now[0], now[1], now[2], now[3], now[4], now[5], now[6]);
                })
            .toList();
    Path samples = folder.resolve("samples.tsv");
    Files.write(samples, rows);
    return SoakReport.beyond(SoakReport.jvms(samples));
  }

  @Test
  void whatIsFlatIsWithinItsBounds() throws Exception {
    assertEquals(List.of(), beyond(0, 0, 0, 0, 0, 0, 0));
    assertEquals(List.of(), beyond(0, 0, 0.08, 0.2, 0.5, 0.04, 0));
  }

  @Test
  void eachQuantityHasABound() throws Exception {
    String third = "after a third of the runs ";
    assertEquals(
        List.of("javac: descriptors: 22.00, " + third + "20.00"), beyond(0.1, 0, 0, 0, 0, 0, 0));
    assertEquals(
        List.of("javac: threads: 23.00, " + third + "21.00"), beyond(0, 0.1, 0, 0, 0, 0, 0));
    assertEquals(
        List.of("javac: the rest of RSS: 90.00, " + third + "80.00"),
        beyond(0, 0, 0.1, 0, 0, 0, 0));
    assertEquals(
        List.of("javac: metaspace, MiB: 13.00, " + third + "10.00"), beyond(0, 0, 0, 0.3, 0, 0, 0));
    assertEquals(
        List.of("javac: code cache, MiB: 17.00, " + third + "10.00"),
        beyond(0, 0, 0, 0, 0.7, 0, 0));
    assertEquals(
        List.of("javac: heap in use, MiB: 10.60, " + third + "10.00"),
        beyond(0, 0, 0, 0, 0, 0.06, 0));
  }

  @Test
  void trapsThatBecomeMoreAreFound() throws Exception {
    Path samples = folder.resolve("samples.tsv");
    List<String> rows =
        IntStream.range(0, 10)
            .mapToObj(
                i ->
                    "javac\t%d\t77\t%<d\t20\t21\t100000\t100000\t10000\t10000\t10000\t%d"
                        .formatted(i * 30, i < 7 ? i * 300 : 1800 + (i - 6) * 30 * 40))
            .toList();
    Files.write(samples, rows);
    assertEquals(
        List.of("javac: 40.0 traps a run, 10.0 before"),
        SoakReport.beyond(SoakReport.jvms(samples)));
  }
}
