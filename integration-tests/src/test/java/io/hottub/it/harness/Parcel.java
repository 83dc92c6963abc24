// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * HotTub as Cloudera Manager has it on a host: the parcel, made of the build's tarball, unpacked
 * and active.
 */
public final class Parcel {
  private final Path root;
  private final Path active;

  /**
   * Makes it.
   *
   * @param folder gets all of its files
   */
  public Parcel(Path folder) throws Exception {
    Path repository = folder.resolve("repository");
    run(Tarball.DEPLOY.resolve("cloudera/parcel/make"), Tarball.path(), repository);
    run(Tarball.DEPLOY.resolve("checks/parcel"), repository);
    root = Files.createDirectory(folder.resolve("parcels"));
    // All of them are one file.
    try (DirectoryStream<Path> parcels = Files.newDirectoryStream(repository, "*.parcel")) {
      run("tar", "-C", root, "-xzf", parcels.iterator().next());
    }
    try (DirectoryStream<Path> unpacked = Files.newDirectoryStream(root)) {
      active = root.resolve("HOTTUB");
      Files.createSymbolicLink(active, unpacked.iterator().next().getFileName());
    }
  }

  /** Where it is unpacked, by the name that stays when there is a newer one. */
  public Path path() {
    return active;
  }

  /** What its script exports to a process that the agent starts. */
  public Map<String, String> environment() throws Exception {
    String folder = active.toRealPath().getFileName().toString();
    Path script = active.resolve("meta/hottub_env.sh");
    String read = "export PARCELS_ROOT=" + root + " PARCEL_DIRNAME=" + folder + "; . " + script;
    return run("env", "-i", "bash", "-c", read + "; env")
        .lines()
        .map(line -> line.split("=", 2))
        .filter(variable -> variable[0].endsWith("_CLASSPATH"))
        .collect(Collectors.toMap(variable -> variable[0], variable -> variable[1]));
  }

  private static String run(Object... command) throws IOException, InterruptedException {
    List<String> words = List.of(command).stream().map(Object::toString).toList();
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), words + ": " + out);
    return out;
  }
}
