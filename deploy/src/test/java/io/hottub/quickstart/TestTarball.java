// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The tarball as its script makes it, of empty jars and a home of two files. */
final class TestTarball {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private final Path sources;

  /**
   * @param sources an empty folder
   */
  TestTarball(Path sources) throws Exception {
    this.sources = sources;
    for (String copied : List.of("deploy/package", "deploy/dist", "docs", "LICENSE", "NOTICE")) {
      Files.createDirectories(sources.resolve(copied).getParent());
      run("cp", "-r", ROOT.resolve(copied).toString(), sources.resolve(copied).toString());
    }
    for (String module : List.of("hottub-jvm", "yarn-auxservice", "spark-plugin", "tez-plugin")) {
      Path target = Files.createDirectories(sources.resolve(module).resolve("target"));
      Files.createFile(target.resolve(module + "-1.jar"));
    }
    Path home = sources.resolve("hottub-jvm/target/hottub-home");
    Path bin = Files.createDirectories(home.resolve("bin"));
    Files.createFile(bin.resolve("java")).toFile().setExecutable(true);
    Files.createFile(Files.createDirectories(home.resolve("conf")).resolve("net.properties"));
    Files.createDirectories(sources.resolve("deploy/target"));
  }

  /** Makes it. */
  Path make() throws Exception {
    run(sources.resolve("deploy/package").toString(), "1");
    return sources.resolve("deploy/target/hottub-1.tar.gz");
  }

  /** Runs a command that has to end well, and returns what it wrote. */
  static String run(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("HOTTUB_HOME");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }
}
