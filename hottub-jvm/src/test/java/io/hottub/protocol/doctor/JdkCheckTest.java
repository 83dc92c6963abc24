// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.doctor.Finding.Result;
import io.hottub.protocol.jdk.FakeJdk;
import io.hottub.protocol.jdk.MachineJdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkCheckTest {
  @TempDir Path folder;
  private Path jdk;
  private Path home;

  @BeforeEach
  void make() throws Exception {
    jdk = FakeJdk.make(folder.resolve("jdk"), "17.0.9");
    FakeJdk.trustAnother(jdk, "everybodys");
    home = FakeJdk.makeHome(folder.resolve("home"), "17.0.9");
    for (String file : new String[] {"conf/net.properties", "lib/security/cacerts"}) {
      Files.copy(jdk.resolve(file), home.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Finding look() throws Exception {
    Path none = folder.resolve("none");
    Files.createDirectories(none);
    return new JdkCheck(home, Map.of("JAVA_HOME", jdk.toString()), new MachineJdk(none, none))
        .look();
  }

  private void assertWarns(String text, String todo) throws Exception {
    Finding finding = look();
    assertEquals(
        Finding.warning("the home is not as %s: %s".formatted(jdk, text), todo.formatted(jdk)),
        finding);
  }

  @Test
  void allIsAsOnTheMachine() throws Exception {
    assertEquals(Result.OK, look().result(), look().text());
  }

  @Test
  void theMachineTrustsMore() throws Exception {
    FakeJdk.trustAnother(jdk, "of-the-company");
    FakeJdk.trustAnother(jdk, "of-a-partner");
    assertWarns("certificates that it does not trust: 2", "hottub adopt %s, as root");
  }

  @Test
  void theMachineIsSetOtherwise() throws Exception {
    FakeJdk.write(jdk, "conf/security/java.security", "stricter");
    FakeJdk.write(jdk, "conf/a", "more");
    assertWarns(
        "other settings in conf/a, conf/security/java.security", "hottub adopt %s, as root");
    FakeJdk.write(jdk, "conf/b", "more");
    FakeJdk.write(jdk, "conf/c", "more");
    assertWarns("other settings in conf/a, conf/b, conf/c and 1 more", "hottub adopt %s, as root");
  }

  @Test
  void settingsThatAPackageKeepsAreNotThoseOfTheMachine() throws Exception {
    Path kept = folder.resolve("etc");
    Files.move(home.resolve("conf"), kept);
    Files.createSymbolicLink(home.resolve("conf"), kept);
    FakeJdk.write(jdk, "conf/security/java.security", "stricter");
    assertWarns("other settings in conf/security/java.security", "set the same in " + kept);
  }

  @Test
  void theMachineHasANewerOne() throws Exception {
    FakeJdk.write(jdk, "release", "JAVA_VERSION=\"17.0.10\"\n");
    assertWarns("it is older: 17.0.9, not 17.0.10", "build HotTub for that JDK, and install it");
    FakeJdk.write(jdk, "release", "JAVA_VERSION=\"17.0.8\"\n");
    assertEquals(Result.OK, look().result());
  }

  @Test
  void allOfItTogether() throws Exception {
    FakeJdk.trustAnother(jdk, "of-the-company");
    FakeJdk.write(jdk, "conf/net.properties", "a proxy");
    FakeJdk.write(jdk, "release", "JAVA_VERSION=\"17.0.10\"\n");
    assertWarns(
        "certificates that it does not trust: 1; other settings in conf/net.properties; it is older:"
            + " 17.0.9, not 17.0.10",
        "hottub adopt %s, as root; build HotTub for that JDK, and install it");
  }
}
