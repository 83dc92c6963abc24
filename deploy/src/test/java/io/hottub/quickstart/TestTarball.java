// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/** The tarball as its script makes it, of jars without classes and a home of three files. */
final class TestTarball {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** What the script takes from the sources. */
  private static final List<String> SOURCES =
      List.of(
          "deploy/package",
          "deploy/dist",
          "deploy/sbom",
          "deploy/checks",
          "docs",
          "hottub-jvm/hotspot/LICENSE-GPL2-CE",
          "LICENSE",
          "NOTICE");

  private final Path sources;

  /**
   * @param sources an empty folder
   */
  TestTarball(Path sources) throws Exception {
    this.sources = sources;
    for (String copied : SOURCES) {
      Files.createDirectories(sources.resolve(copied).getParent());
      run("cp", "-r", ROOT.resolve(copied).toString(), sources.resolve(copied).toString());
    }
    for (String module : List.of("hottub-jvm", "yarn-auxservice", "spark-plugin", "tez-plugin")) {
      Path target = Files.createDirectories(sources.resolve(module).resolve("target"));
      makeJar(target.resolve(module + "-1.jar"), module);
    }
    Path home = sources.resolve("hottub-jvm/target/hottub-home");
    Path bin = Files.createDirectories(home.resolve("bin"));
    Files.createFile(bin.resolve("java")).toFile().setExecutable(true);
    Files.createFile(Files.createDirectories(home.resolve("conf")).resolve("net.properties"));
    Files.writeString(
        home.resolve("release"),
        """
        IMPLEMENTOR="Test"
        JAVA_RUNTIME_VERSION="17.0.1+1"
        JAVA_VERSION="17.0.1"
        """);
    Files.createDirectories(sources.resolve("deploy/target"));
  }

  private static void makeJar(Path jar, String module) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("META-INF/maven/io.hottub/" + module + "/pom.properties"));
      String about = "artifactId=" + module + "\ngroupId=io.hottub\nversion=1\n";
      out.write(about.getBytes(StandardCharsets.UTF_8));
    }
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
