// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdoptCommandTest {
  @TempDir Path folder;
  private Path jdk;
  private Path home;
  private Path installed;

  @BeforeEach
  void make() throws Exception {
    jdk = FakeJdk.make(folder.resolve("jdk"), "17.0.9");
    home = FakeJdk.makeHome(folder.resolve("home"), "17.0.9");
    installed = Files.createDirectory(folder.resolve("installed"));
  }

  /** Its status, and all that it says. */
  private String run(String... operands) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, UTF_8);
    MachineJdk machine = new MachineJdk(installed, installed);
    int status = AdoptCommand.run(List.of(operands), home, Map.of(), machine, out, out);
    return status + " " + said.toString(UTF_8).strip();
  }

  @Test
  void theJdkThatIsNamed() {
    assertEquals(
        "0 %s has the certificates and settings of %s (17.0.9) from now on; linked files: 5"
            .formatted(home, jdk),
        run(jdk.toString()));
    assertEquals(
        "0 " + home + " has its own certificates and settings; links that are gone: 5",
        run("--undo"));
  }

  @Test
  void theJdkThatIsFound() throws Exception {
    assertEquals(
        "111 hottub: no other JDK 17 is found on this machine; name one: hottub adopt /path/to/jdk",
        run());
    Path found = FakeJdk.make(installed.resolve("java-17"), "17.0.8");
    assertEquals(
        "0 %s has the certificates and settings of %s (17.0.8) from now on; linked files: 5"
            .formatted(home, found),
        run());
  }

  @Test
  void whatIsWrongIsSaid() throws Exception {
    assertEquals("100 usage: hottub adopt [JDK | --undo]", run("--what"));
    assertEquals("100 usage: hottub adopt [JDK | --undo]", run(jdk.toString(), jdk.toString()));
    FakeJdk.write(jdk, "release", "JAVA_VERSION=\"21\"\n");
    assertEquals("111 hottub: " + jdk + " is no JDK 17 but 21", run(jdk.toString()));
  }
}
