// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;

/** Prints the set of signals that its process ignores. */
public class IgnoredSignals {
  public static void main(String[] args) throws Exception {
    Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("SigIgn"))
        .forEach(System.out::println);
  }
}
