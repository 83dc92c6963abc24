// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MachineSettingsTest {
  /** What the build of a JDK has made, and only another release has otherwise. */
  private static final List<String> OF_RELEASE =
      List.of(
          // Programs, classes, and what is made of them.
          "bin/.*",
          "lib/.*[.]so",
          "lib/.*[.]jsa",
          "lib/(modules|ct[.]sym|classlist|jrt-fs[.]jar|src[.]zip|jspawnhelper|jexec)",
          "jmods/.*",
          "include/.*",
          // What it says of itself.
          "(legal|man|docs)/.*",
          "(release|README|NOTICE|LICENSE|ASSEMBLY_EXCEPTION|THIRD_PARTY_README)",
          // Which VMs there are, and how the launcher calls them.
          "lib/jvm[.]cfg(-default)?",
          "lib/jar[.]binfmt",
          // Fonts of printers, recordings, rights of its own modules, domains of the internet.
          "lib/psfont.*",
          "lib/jfr/.*",
          "lib/security/default[.]policy",
          "lib/security/public_suffix_list[.]dat");

  @Test
  void everyFileOfAJdkIsTheMachinesOrTheReleases() throws Exception {
    Path jdk = Path.of(System.getProperty("java.home"));
    List<Path> ofMachine = MachineSettings.of(jdk);
    assertTrue(ofMachine.containsAll(MachineSettings.NEEDED), ofMachine.toString());
    List<String> unknown = new ArrayList<>();
    try (Stream<Path> files = Files.walk(jdk, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : files.filter(Files::isRegularFile).map(jdk::relativize).toList()) {
        if (!ofMachine.contains(file)
            && OF_RELEASE.stream().noneMatch(pattern -> file.toString().matches(pattern))) {
          unknown.add(file.toString());
        }
      }
    }
    assertEquals(List.of(), unknown);
  }
}
