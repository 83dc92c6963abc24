// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.doctor.Finding.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A home of small files, put together as {@code build/assemble-home} does it. */
class HomeCheckTest {
  /** digest_files of build/lib/common.sh, and what assemble-home makes of it. */
  private static final String BUILD_ID =
      """
      LC_ALL=C; cd "$0"
      digest() { cd "$1" && shift && find "$@" -type f -print0 | sort -z | xargs -0 sha256sum; }
      mkdir native && cp bin/java lib/hottub/keeper lib/hottub/pooled-java native
      {
        sha256sum <lib/hottub/libjvm.so | cut -d' ' -f1
        (digest native java keeper pooled-java)
        (digest lib/hottub/runtime .)
      } | sha256sum | cut -d' ' -f1 >lib/hottub/build-id
      """;

  @TempDir Path home;

  @BeforeEach
  void assemble() throws Exception {
    for (String file :
        new String[] {
          "bin/java",
          "bin/java-cold",
          "lib/hottub/keeper",
          "lib/hottub/pooled-java",
          "lib/hottub/runtime/java/lang/B.class",
          "lib/hottub/runtime/java/lang/A.class"
        }) {
      Files.createDirectories(home.resolve(file).getParent());
      Files.writeString(home.resolve(file), file);
    }
    // The version lies where one chunk that is read ends and the next one begins.
    Files.writeString(
        home.resolve("lib/hottub/libjvm.so"), "x".repeat((1 << 20) - 3) + "17.0.9+1-x\0rest");
    Files.writeString(home.resolve("release"), "A=\"b\"\nJAVA_RUNTIME_VERSION=\"17.0.9+1-x\"\n");
    Process bash = new ProcessBuilder("bash", "-euc", BUILD_ID, home.toString()).start();
    assertEquals("", new String(bash.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    assertEquals(0, bash.waitFor());
  }

  private Finding look() throws Exception {
    return new HomeCheck(home).look();
  }

  private void assertFails(String with) throws Exception {
    Finding finding = look();
    assertEquals(Result.FAILED, finding.result(), finding.text());
    assertTrue(finding.text().contains(with), finding.text());
  }

  @Test
  void aWholeHome() throws Exception {
    assertEquals(Finding.ok(home + " is whole, and its libjvm.so of its JDK 17.0.9+1-x"), look());
  }

  @Test
  void aFileIsMissing() throws Exception {
    Files.delete(home.resolve("lib/hottub/keeper"));
    assertFails("there is no " + home.resolve("lib/hottub/keeper"));
  }

  @Test
  void aFileIsOfAnotherBuild() throws Exception {
    Files.writeString(home.resolve("lib/hottub/runtime/java/lang/A.class"), "another");
    assertFails("not those of its build-id");
  }

  @Test
  void theJdkIsAnother() throws Exception {
    Files.writeString(home.resolve("release"), "JAVA_RUNTIME_VERSION=\"17.0.10+1\"\n");
    assertFails("libjvm.so is not of JDK 17.0.10+1");
  }

  @Test
  void everybodyMayChangeIt() throws Exception {
    Path keeper = home.resolve("lib/hottub/keeper");
    Files.setPosixFilePermissions(keeper, PosixFilePermissions.fromString("rwxr-xrwx"));
    assertFails("everybody may change " + keeper);
  }

  @Test
  void itsSettingsAreThoseOfAJdkThatHasGone() throws Exception {
    Path setting = Files.createDirectory(home.resolve("conf")).resolve("net.properties");
    Files.createSymbolicLink(setting, home.resolve("gone"));
    assertFails(setting + " leads to " + home.resolve("gone") + ", which has gone");
  }
}
