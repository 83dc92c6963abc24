// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a JDK that belong to the machine and not to the release: whom it trusts, what
 * operators set, the rules of time zones. Packages of the distribution change them, {@code
 * update-ca-certificates}, {@code keytool -cacerts}, the JDK's TZUpdater, or somebody by hand.
 * {@code MachineSettingsTest} goes through all files of a JDK that are no code, and fails for one
 * that is neither of these nor known to be of the release.
 */
final class MachineSettings {
  /** All below it. */
  static final Path SETTINGS = Path.of("conf");

  /** Whom a JVM trusts that is not told otherwise. */
  static final Path TRUSTED = Path.of("lib/security/cacerts");

  /** It is looked for first, and comes with no JDK. */
  static final Path TRUSTED_FIRST = Path.of("lib/security/jssecacerts");

  /** Without these programs fail that work on any JDK. */
  static final List<Path> NEEDED = List.of(SETTINGS.resolve("security/java.security"), TRUSTED);

  /** Those that are not below {@link #SETTINGS}. */
  static final List<Path> OTHERS =
      List.of(
          TRUSTED, TRUSTED_FIRST, Path.of("lib/security/blocked.certs"), Path.of("lib/tzdb.dat"));

  private MachineSettings() {}

  /**
   * Those that a JDK has.
   *
   * @return their names in it, in order
   */
  static List<Path> of(Path jdk) throws IOException {
    List<Path> found = new ArrayList<>();
    Path settings = jdk.resolve(SETTINGS);
    if (Files.isDirectory(settings)) {
      // Distributions put links there.
      try (Stream<Path> files = Files.walk(settings, FileVisitOption.FOLLOW_LINKS)) {
        files.filter(Files::isRegularFile).map(jdk::relativize).forEach(found::add);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    OTHERS.stream().filter(file -> Files.isRegularFile(jdk.resolve(file))).forEach(found::add);
    found.sort(Comparator.naturalOrder());
    return found;
  }

  /** Where a JDK looks for whom it trusts. */
  static Path trusted(Path jdk) {
    Path first = jdk.resolve(TRUSTED_FIRST);
    return Files.isReadable(first) ? first : jdk.resolve(TRUSTED);
  }
}
