// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the tarball. */
class PackageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir Path folder;

  private TestTarball tarball;

  @BeforeEach
  void sources() throws Exception {
    tarball = new TestTarball(folder);
  }

  @Test
  void hasProgramsSettingsAndPages() throws Exception {
    Set<String> files =
        new TreeSet<>(TestTarball.run("tar", "-tzf", tarball.make().toString()).lines().toList());
    for (String file :
        List.of(
            "home/bin/java",
            "lib/yarn/yarn-auxservice-1.jar",
            "lib/spark/spark-plugin-1.jar",
            "lib/trainers.jar",
            "lib/hottub.jar",
            "bin/hottub",
            "conf/yarn-site-hottub.xml",
            "conf/hadoop-profile-hottub.sh",
            "conf/mapred-site-hottub.xml",
            "conf/recipes/hdfs-ls.properties",
            "conf/recipes/tez-master.properties",
            "conf/recipes/tez-task.properties",
            "conf/recipes/hive-master.properties",
            "conf/recipes/hive-task.properties",
            "conf/recipes/mapreduce-master.properties",
            "conf/recipes/mapreduce-task.properties",
            "conf/tmpfiles.d/hottub.conf",
            "conf/grafana/hottub-node.json",
            "conf/grafana/hottub-cluster.json",
            "conf/prometheus/hottub-rules.yml",
            "INSTALL.md",
            "LICENSE",
            "NOTICE",
            "VERSION",
            "hottub.cdx.json",
            "licenses/Apache-2.0.txt",
            "licenses/GPL-2.0-CE.txt")) {
      assertTrue(files.contains("hottub-1/" + file), file);
    }
    try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
      for (Path page : pages.filter(Files::isRegularFile).toList()) {
        assertTrue(files.contains("hottub-1/" + ROOT.relativize(page)), page.toString());
      }
    }
  }

  @Test
  void itsGuideNamesItsVersion() throws Exception {
    String guide =
        TestTarball.run("tar", "-xzOf", tarball.make().toString(), "hottub-1/INSTALL.md");
    assertTrue(guide.contains("-xzf hottub-1.tar.gz\n"), guide);
    assertFalse(guide.contains("@VERSION@"), guide);
  }

  @Test
  void itsFilesHaveTheTimeOfTheCommit() throws Exception {
    String git = "git -c user.name=a -c user.email=a -C " + folder;
    TestTarball.run("sh", "-c", git + " init -q");
    TestTarball.run(
        "sh",
        "-c",
        "GIT_COMMITTER_DATE='1700000000 +0000' " + git + " commit -q --allow-empty -m a");
    String listed = TestTarball.run("tar", "--utc", "-tvzf", tarball.make().toString());
    for (String file : listed.lines().toList()) {
      assertTrue(file.contains(" 2023-11-14 22:13 "), file);
    }
  }

  @Test
  void equalSourcesGiveAnEqualTarball() throws Exception {
    byte[] first = Files.readAllBytes(tarball.make());
    TestTarball.run("touch", folder.resolve("docs/jvm.md").toString());
    TestTarball.run("chmod", "g+w,o-r", folder.resolve("docs/jvm.md").toString());
    assertEquals(-1, java.util.Arrays.mismatch(first, Files.readAllBytes(tarball.make())));
  }
}
