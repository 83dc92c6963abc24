// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineJdkTest {
  private static final String NODE_MANAGER =
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager";

  @TempDir Path folder;
  private Path proc;
  private Path installed;

  @BeforeEach
  void make() throws Exception {
    proc = Files.createDirectory(folder.resolve("proc"));
    installed = Files.createDirectory(folder.resolve("jvm"));
  }

  private Optional<Path> find(String... environment) throws Exception {
    Map<String, String> variables =
        environment.length == 0 ? Map.of() : Map.of("JAVA_HOME", environment[0]);
    return new MachineJdk(proc, installed).find(variables).map(Jdk::folder);
  }

  private Path jdk(String name, String version) throws Exception {
    return FakeJdk.make(installed.resolve(name), version);
  }

  private void runNodeManager(Path jdk) throws Exception {
    Path process = Files.createDirectory(proc.resolve("4711"));
    Files.writeString(process.resolve("cmdline"), "java\0" + NODE_MANAGER + "\0");
    Files.createSymbolicLink(process.resolve("exe"), jdk.resolve("bin/java"));
  }

  @Test
  void thereIsNone() throws Exception {
    assertEquals(Optional.empty(), find());
    Files.delete(installed);
    assertEquals(Optional.empty(), find());
    Files.createDirectory(installed);
    jdk("java-17-broken", "nonsense");
    FakeJdk.make(installed.resolve("java-21"), "21.0.1");
    FakeJdk.makeHome(installed.resolve("hottub-17"), "17.0.9");
    assertEquals(Optional.empty(), find());
  }

  @Test
  void theNewest() throws Exception {
    jdk("java-17-a", "17.0.9");
    Path newest = jdk("java-17-b", "17.0.10");
    jdk("java-17-c", "17.0.8");
    assertEquals(Optional.of(newest), find());
  }

  @Test
  void thatOfTheCaller() throws Exception {
    jdk("java-17-a", "17.0.10");
    Path other = FakeJdk.make(folder.resolve("other"), "17.0.2");
    assertEquals(Optional.of(other), find(other.toString()));
  }

  @Test
  void thatOfTheNodeManager() throws Exception {
    Path a = jdk("java-17-a", "17.0.10");
    Path b = jdk("java-17-b", "17.0.9");
    runNodeManager(b);
    assertEquals(Optional.of(b), find(a.toString()));
  }

  @Test
  void aHotTubHomeIsNotTheMachines() throws Exception {
    Path home = FakeJdk.makeHome(folder.resolve("home"), "17.0.10");
    runNodeManager(home);
    Path a = jdk("java-17-a", "17.0.10");
    assertEquals(Optional.of(a), find(home.toString()));
  }

  @Test
  void theNameThatLasts() throws Exception {
    Path update = jdk("java-17-openjdk-17.0.9.0.9-2", "17.0.9");
    Path name = Files.createSymbolicLink(installed.resolve("java-17-openjdk"), update);
    Files.createSymbolicLink(installed.resolve("default"), update);
    runNodeManager(update);
    assertEquals(Optional.of(name), find());
  }
}
