// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdoptionTest {
  @TempDir Path folder;
  private Path jdk;
  private Path home;

  @BeforeEach
  void make() throws Exception {
    jdk = FakeJdk.make(folder.resolve("jdk"), "17.0.9");
    home = FakeJdk.makeHome(folder.resolve("home"), "17.0.9");
  }

  private int adopt() throws Exception {
    return new Adoption(home).adopt(new Jdk(jdk));
  }

  private void assertRefused(String why) {
    IOException refused = assertThrows(IOException.class, this::adopt);
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  /** All files by their content; of links also that they are. */
  private static Map<String, String> content(Path folder) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> !Files.isDirectory(file)).toList()) {
        String kind = Files.isSymbolicLink(file) ? "link: " : "";
        content.put(folder.relativize(file).toString(), kind + Files.readString(file));
      }
    }
    return content;
  }

  @Test
  void whatChangesThereChangesForTheHome() throws Exception {
    assertEquals(5, adopt());
    assertEquals("of jdk", Files.readString(home.resolve("conf/net.properties")));
    assertEquals("zones of jdk", Files.readString(home.resolve("lib/tzdb.dat")));
    assertEquals("classes of home", Files.readString(home.resolve("lib/modules")));
    FakeJdk.write(jdk, "conf/security/java.security", "changed");
    assertEquals("changed", Files.readString(home.resolve("conf/security/java.security")));
  }

  @Test
  void filesThatTheHomeHasNotComeToo() throws Exception {
    FakeJdk.write(jdk, "conf/security/fips.cfg", "more");
    FakeJdk.write(jdk, "lib/security/jssecacerts", "ours");
    assertEquals(7, adopt());
    assertEquals("more", Files.readString(home.resolve("conf/security/fips.cfg")));
    assertEquals("ours", Files.readString(home.resolve("lib/security/jssecacerts")));
  }

  @Test
  void undoLeavesTheHomeAsItWasBuilt() throws Exception {
    FakeJdk.write(jdk, "conf/security/fips.cfg", "more");
    FakeJdk.write(jdk, "lib/security/jssecacerts", "ours");
    Map<String, String> before = content(home);
    assertEquals(7, adopt());
    assertEquals(7, new Adoption(home).undo());
    assertEquals(before, content(home));
    assertEquals(0, new Adoption(home).undo());
  }

  @Test
  void anotherJdkTakesItsPlace() throws Exception {
    Map<String, String> before = content(home);
    adopt();
    jdk = FakeJdk.make(folder.resolve("other"), "17.0.10");
    assertEquals(5, adopt());
    assertEquals("of other", Files.readString(home.resolve("conf/net.properties")));
    new Adoption(home).undo();
    assertEquals(before, content(home));
  }

  /** As a package manager does, which knows nothing of the links. */
  @Test
  void aNewReleaseInThePlaceOfTheLinksIsWhatIsKept() throws Exception {
    adopt();
    Path file = home.resolve("lib/tzdb.dat");
    Files.delete(file);
    Files.writeString(file, "newer");
    adopt();
    assertEquals("zones of jdk", Files.readString(file));
    new Adoption(home).undo();
    assertEquals("newer", Files.readString(file));
  }

  @Test
  void settingsThatAPackageKeepsElsewhereStay() throws Exception {
    Path settings = folder.resolve("etc");
    Files.move(home.resolve("conf"), settings);
    Files.createSymbolicLink(home.resolve("conf"), settings);
    assertEquals(3, adopt());
    assertFalse(Files.isSymbolicLink(settings.resolve("net.properties")));
    assertEquals("of home", Files.readString(settings.resolve("net.properties")));
    assertEquals(3, new Adoption(home).undo());
  }

  @Test
  void aLinkThatLeadsNowhereIsFound() throws Exception {
    adopt();
    assertEquals(Optional.empty(), new Adoption(home).broken());
    Files.move(jdk, folder.resolve("updated"));
    assertEquals(Optional.of(home.resolve("conf/net.properties")), new Adoption(home).broken());
  }

  @Test
  void onlyAJdk17IsTaken() throws Exception {
    FakeJdk.write(jdk, "release", "JAVA_VERSION=\"11.0.2\"\n");
    assertRefused(jdk + " is no JDK 17 but 11.0.2");
    FakeJdk.write(jdk, "release", "JAVA_VERSION=\"x\"\n");
    assertRefused(jdk + " has no version: x");
    Files.delete(jdk.resolve("release"));
    assertRefused(jdk + " is no JDK: ");
    jdk = home;
    assertRefused(home + " is a HotTub home");
  }

  @Test
  void aJdkWithoutCertificatesIsNotTaken() throws Exception {
    Files.delete(jdk.resolve("lib/security/cacerts"));
    assertRefused("there is no " + jdk.resolve("lib/security/cacerts"));
    assertFalse(Files.isSymbolicLink(home.resolve("conf/net.properties")), "nothing was done");
  }

  @Test
  void whatIsNoHomeStaysAsItIs() throws Exception {
    home = FakeJdk.make(folder.resolve("no-home"), "17.0.9");
    assertRefused(home + " is no HotTub home");
    IOException refused = assertThrows(IOException.class, new Adoption(home)::undo);
    assertTrue(refused.getMessage().contains("is no HotTub home"), refused.getMessage());
  }

  @Test
  void filesThatOthersCannotReadAreNotTaken() throws Exception {
    // This folder is below those of everybody.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(jdk.resolve("lib"), PosixFilePermissions.fromString("rwx------"));
    assertRefused("not everybody may read " + jdk.resolve("lib/"));
    assertFalse(Files.isSymbolicLink(home.resolve("conf/net.properties")), "nothing was done");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    assertEquals(5, adopt(), "nobody else uses this home");
  }

  @Test
  void filesThatEverybodyMayChangeAreNotTaken() throws Exception {
    for (String open : List.of("lib/security/cacerts", "conf/security", "")) {
      Path file = jdk.resolve(open);
      Set<PosixFilePermission> before = Files.getPosixFilePermissions(file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));
      assertRefused("everybody may change " + file.toRealPath() + ", and so whom a run trusts");
      assertFalse(Files.isSymbolicLink(home.resolve("conf/net.properties")), "nothing was done");
      Files.setPosixFilePermissions(file, before);
    }
    assertEquals(5, adopt());
  }
}
