// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which program the hottub command runs. */
class HottubCommandTest {
  @TempDir Path folder;

  @BeforeEach
  void install() throws Exception {
    Files.createDirectories(folder.resolve("bin"));
    Files.createDirectories(folder.resolve("home/bin"));
    Files.createDirectories(folder.resolve("lib"));
    Files.createFile(folder.resolve("lib/hottub.jar"));
    Files.copy(Path.of("dist/bin/hottub"), folder.resolve("bin/hottub"));
    script("home/bin/java", "echo java HOTTUB=$HOTTUB \"$@\"");
  }

  private void script(String name, String command) throws Exception {
    Path file = Files.createDirectories(folder.resolve(name).getParent()).resolve("x");
    Files.writeString(file, "#!/bin/sh\n" + command + "\n");
    file.toFile().setExecutable(true);
    Files.move(file, folder.resolve(name));
  }

  private String run(int status, String... arguments) throws Exception {
    ProcessBuilder bash = new ProcessBuilder("bash", folder.resolve("bin/hottub").toString());
    bash.command().addAll(java.util.List.of(arguments));
    bash.environment().put("HADOOP_HOME", folder.resolve("hadoop").toString());
    bash.environment().put("HADOOP_CLASSPATH", "more.jar");
    Process process = bash.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(status, process.waitFor(), out);
    return out.strip().replace(folder.toString(), "");
  }

  @Test
  void thePoolOfTheNode() throws Exception {
    String ran = run(0, "drain", "cluster");
    assertTrue(ran.startsWith("java HOTTUB=off "), ran);
    assertTrue(ran.endsWith(" -cp /lib/hottub.jar io.hottub.protocol.cli.Main drain cluster"), ran);
  }

  @Test
  void allNodes() throws Exception {
    script("hadoop/bin/yarn", "echo yarn $JAVA_HOME HOTTUB=$HOTTUB \"$HADOOP_CLASSPATH\" \"$@\"");
    assertEquals(
        "yarn /home HOTTUB=off /lib/yarn/*:more.jar io.hottub.yarn.ClusterMain drain fp abc",
        run(0, "cluster", "drain", "fp", "abc"));
  }

  @Test
  void theDoctorReadsTheSettingsOfYarnWhereItIs() throws Exception {
    String alone = run(0, "doctor", "--json");
    assertTrue(alone.endsWith(" io.hottub.protocol.cli.Main doctor --json"), alone);
    script("hadoop/bin/yarn", "echo yarn $JAVA_HOME HOTTUB=$HOTTUB \"$HADOOP_CLASSPATH\" \"$@\"");
    assertEquals(
        "yarn /home HOTTUB=off /lib/yarn/*:more.jar io.hottub.yarn.doctor.DoctorMain  --json",
        run(0, "doctor", "--json"));
  }

  @Test
  void whereThereIsNoYarn() throws Exception {
    assertEquals("hottub: no yarn on the PATH or in HADOOP_HOME", run(111, "cluster", "ps"));
  }
}
