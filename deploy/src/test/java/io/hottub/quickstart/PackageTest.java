// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the tarball: the script that makes it, on empty jars and a home of one file. */
class PackageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir Path folder;

  @BeforeEach
  void sources() throws Exception {
    for (String copied : List.of("deploy/package", "deploy/dist", "docs", "LICENSE", "NOTICE")) {
      Files.createDirectories(folder.resolve(copied).getParent());
      run("cp", "-r", ROOT.resolve(copied).toString(), folder.resolve(copied).toString());
    }
    for (String module : List.of("hottub-jvm", "yarn-auxservice", "spark-plugin", "tez-plugin")) {
      Path target = Files.createDirectories(folder.resolve(module).resolve("target"));
      Files.createFile(target.resolve(module + "-1.jar"));
    }
    Path bin = Files.createDirectories(folder.resolve("hottub-jvm/target/hottub-home/bin"));
    Files.createFile(bin.resolve("java")).toFile().setExecutable(true);
    Files.createDirectories(folder.resolve("deploy/target"));
  }

  private String run(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("HOTTUB_HOME");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }

  private Path tarball() throws Exception {
    run(folder.resolve("deploy/package").toString(), "1");
    return folder.resolve("deploy/target/hottub-1.tar.gz");
  }

  @Test
  void hasProgramsSettingsAndPages() throws Exception {
    Set<String> files = new TreeSet<>(run("tar", "-tzf", tarball().toString()).lines().toList());
    for (String file :
        List.of(
            "home/bin/java",
            "lib/yarn/yarn-auxservice-1.jar",
            "lib/spark/spark-plugin-1.jar",
            "lib/tez/tez-plugin-1.jar",
            "lib/hottub.jar",
            "bin/hottub",
            "conf/yarn-site-hottub.xml",
            "conf/tmpfiles.d/hottub.conf",
            "INSTALL.md",
            "LICENSE",
            "NOTICE",
            "VERSION")) {
      assertTrue(files.contains("hottub-1/" + file), file);
    }
    try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
      for (Path page : pages.filter(Files::isRegularFile).toList()) {
        assertTrue(files.contains("hottub-1/" + ROOT.relativize(page)), page.toString());
      }
    }
  }

  @Test
  void equalSourcesGiveAnEqualTarball() throws Exception {
    byte[] first = Files.readAllBytes(tarball());
    run("touch", folder.resolve("docs/jvm.md").toString());
    assertEquals(-1, java.util.Arrays.mismatch(first, Files.readAllBytes(tarball())));
  }
}
