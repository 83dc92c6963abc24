// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.FramesFuzz;
import io.hottub.protocol.JournalFuzz;
import io.hottub.protocol.MarksFuzz;
import io.hottub.protocol.StateFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the fuzz targets again on all inputs that are known; {@code
 * integration-tests/campaigns/fuzz/run} looks for more.
 */
class FuzzCorpusTest {
  private static final Path CORPUS = Path.of("native/fuzz/corpus");

  private interface Target {
    void run(byte[] input) throws IOException;
  }

  @TempDir Path found;

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** What was found is in an archive, what was written by hand in a folder. */
  private List<Path> inputs(String name) throws IOException, InterruptedException {
    Process tar =
        new ProcessBuilder("tar", "-xzf", CORPUS + "/" + name + ".tar.gz", "-C", found.toString())
            .inheritIO()
            .start();
    assertEquals(0, tar.waitFor());
    return Stream.concat(files(CORPUS.resolve(name)).stream(), files(found).stream()).toList();
  }

  private Stream<DynamicTest> replay(String name, Target target)
      throws IOException, InterruptedException {
    return inputs(name).stream()
        .map(
            input ->
                DynamicTest.dynamicTest(
                    input.getFileName().toString(), () -> target.run(Files.readAllBytes(input))));
  }

  @TestFactory
  Stream<DynamicTest> frames() throws IOException, InterruptedException {
    return replay("java-frames", FramesFuzz::fuzzerTestOneInput);
  }

  @TestFactory
  Stream<DynamicTest> state() throws IOException, InterruptedException {
    return replay("java-state", StateFuzz::fuzzerTestOneInput);
  }

  @TestFactory
  Stream<DynamicTest> journal() throws IOException, InterruptedException {
    return replay("java-journal", JournalFuzz::fuzzerTestOneInput);
  }

  @TestFactory
  Stream<DynamicTest> marks() throws IOException, InterruptedException {
    return replay("java-marks", MarksFuzz::fuzzerTestOneInput);
  }

  @TestFactory
  Stream<DynamicTest> why() throws IOException, InterruptedException {
    return replay("java-why", WhyFuzz::fuzzerTestOneInput);
  }
}
