// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HotTubLauncherTest {
  @TempDir Path folder;

  @BeforeEach
  void spark() throws Exception {
    Path submit = folder.resolve("spark/bin/spark-submit");
    Files.createDirectories(submit.getParent());
    String script = "#!/bin/sh\n{ echo \"$JAVA_HOME\"; echo \"$*\"; } > " + folder.resolve("seen");
    Files.writeString(submit, script + ".new\nmv " + folder + "/seen.new " + folder + "/seen\n");
    submit.toFile().setExecutable(true);
  }

  /** The {@code JAVA_HOME} and the arguments that spark-submit gets. */
  private List<String> launch(Path home) throws Exception {
    Process process =
        new HotTubLauncher(home, Map.of("JAVA_HOME", "stock"))
            .setSparkHome(folder.resolve("spark").toString())
            .setAppResource("job.jar")
            .setMainClass("Job")
            .launch();
    assertEquals(0, process.waitFor());
    return Files.readAllLines(folder.resolve("seen"));
  }

  @Test
  void submitsOnTheHome() throws Exception {
    Path home = Files.createDirectories(folder.resolve("home/bin")).getParent();
    Files.createFile(home.resolve("bin/java")).toFile().setExecutable(true);
    assertEquals(
        List.of(home.toString(), "--conf spark.hottub.enabled=true --class Job job.jar"),
        launch(home));
  }

  @Test
  void withoutAHomeHereTheSettingStillHoldsForTheCluster() throws Exception {
    assertEquals(
        List.of("stock", "--conf spark.hottub.enabled=true --class Job job.jar"),
        launch(folder.resolve("no-home")));
  }
}
