// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import io.hottub.protocol.OwnUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a recipe's run. Its JVM may still write there when the client has ended. The name
 * has the pid of the NodeManager, so that the next one knows what a dead one has left.
 */
final class RunFolder {
  private static final Logger LOG = LoggerFactory.getLogger(RunFolder.class);
  private static final String PREFIX = "hottub-recipe-";
  private static final Pattern NAME = Pattern.compile(PREFIX + "([1-9][0-9]{0,9})-[0-9]+");

  /** A lease that is revoked has ended before. */
  private static final Duration REMOVE_WITHIN = Duration.ofSeconds(5);

  private static final long PAUSE_MS = 50;

  private RunFolder() {}

  static Path create() throws IOException {
    return Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
  }

  /**
   * Removes it with all that is in it; where somebody still writes after some seconds, it stays.
   */
  static void remove(Path folder) throws InterruptedException {
    long deadline = System.nanoTime() + REMOVE_WITHIN.toNanos();
    while (true) {
      try {
        removeNow(folder);
        return;
      } catch (IOException e) {
        if (System.nanoTime() - deadline > 0) {
          LOG.warn("Cannot remove {} of a recipe; the next NodeManager does it", folder, e);
          return;
        }
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  private static void removeNow(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Removes what NodeManagers of this user have left that were killed. */
  static void removeLeftBehind(Path parent) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        if (isLeftBehind(folder)) {
          removeNow(folder);
        }
      }
    }
  }

  private static boolean isLeftBehind(Path folder) throws IOException {
    Matcher name = NAME.matcher(folder.getFileName().toString());
    if (!name.matches()
        || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        || !Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(OwnUser.principal())) {
      return false;
    }
    Instant used = Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toInstant();
    // Who has its pid now may be another one.
    return ProcessHandle.of(Long.parseLong(name.group(1)))
        .map(process -> process.info().startInstant().filter(used::isBefore).isPresent())
        .orElse(true);
  }
}
