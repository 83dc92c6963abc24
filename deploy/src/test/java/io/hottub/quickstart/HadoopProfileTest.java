// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell profile that puts Hadoop's commands on HotTub. */
class HadoopProfileTest {
  private static final String COMMAND =
      "HADOOP_SUBCMD=dfs HADOOP_SUBCMD_SUPPORTDAEMONIZATION=false";

  @TempDir Path folder;

  @BeforeEach
  void install() throws Exception {
    Files.createDirectories(folder.resolve("conf"));
    Files.createDirectories(folder.resolve("home/bin"));
    Files.copy(
        Path.of("dist/conf/hadoop-profile-hottub.sh"),
        folder.resolve("conf/hadoop-profile-hottub.sh"));
    Files.createFile(folder.resolve("home/bin/java")).toFile().setExecutable(true);
  }

  /** Reads the profile as Hadoop's shell does, finishes, and prints what would run, and where. */
  private String javaFor(String variables) throws Exception {
    String script =
        "set -ue; hadoop_add_profile() { profile=$1; }; JAVA_HOME=stock; JAVA=stock/bin/java; . "
            + folder.resolve("conf/hadoop-profile-hottub.sh")
            + "; "
            + variables
            + "; _${profile}_hadoop_finalize; echo \"$JAVA $JAVA_HOME\"";
    Process process = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out.strip().replace(folder.toString(), "");
  }

  @Test
  void commandsRunOnHotTub() throws Exception {
    assertEquals("/home/bin/java stock", javaFor(COMMAND));
    assertEquals("/home/bin/java stock", javaFor("HADOOP_SUBCMD=my.Main"));
  }

  @Test
  void daemonsKeepTheirJava() throws Exception {
    assertEquals("stock/bin/java stock", javaFor(COMMAND.replace("false", "true")));
  }

  @Test
  void scriptsThatAreNotHadoopsOwnKeepTheirJava() throws Exception {
    assertEquals("stock/bin/java stock", javaFor(":"));
  }

  @Test
  void withoutAHomeTheStockJvmStays() throws Exception {
    Files.delete(folder.resolve("home/bin/java"));
    assertEquals("stock/bin/java stock", javaFor(COMMAND));
  }
}
