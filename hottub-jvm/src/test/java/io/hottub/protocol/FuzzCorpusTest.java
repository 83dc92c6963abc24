// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.hottub.protocol.cli.WhyFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs the fuzz targets again on all inputs that are known; {@code integration-tests/fuzz} looks
 * for more.
 */
class FuzzCorpusTest {
  private static final Path CORPUS = Path.of("native/fuzz/corpus");

  private interface Target {
    void run(byte[] input) throws IOException;
  }

  private static Stream<DynamicTest> replay(String name, Target target) throws IOException {
    List<Path> inputs;
    try (Stream<Path> files = Files.list(CORPUS.resolve(name))) {
      inputs = files.sorted().toList();
    }
    assertFalse(inputs.isEmpty());
    return inputs.stream()
        .map(
            input ->
                DynamicTest.dynamicTest(
                    input.getFileName().toString(), () -> target.run(Files.readAllBytes(input))));
  }

  @TestFactory
  Stream<DynamicTest> frames() throws IOException {
    return replay("java-frames", FramesFuzz::fuzzerTestOneInput);
  }

  @TestFactory
  Stream<DynamicTest> state() throws IOException {
    return replay("java-state", StateFuzz::fuzzerTestOneInput);
  }

  @TestFactory
  Stream<DynamicTest> journal() throws IOException {
    return replay("java-journal", JournalFuzz::fuzzerTestOneInput);
  }

  @TestFactory
  Stream<DynamicTest> marks() throws IOException {
    return replay("java-marks", MarksFuzz::fuzzerTestOneInput);
  }

  @TestFactory
  Stream<DynamicTest> why() throws IOException {
    return replay("java-why", WhyFuzz::fuzzerTestOneInput);
  }
}
