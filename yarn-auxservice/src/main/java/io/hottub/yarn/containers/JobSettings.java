// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds one setting in a {@code job.xml}. Hadoop writes that file, always in the same form; it is
 * read as text, because a value in it may hold what parsers of XML refuse, and because a user's
 * file must not make the NodeManager open others.
 */
final class JobSettings {
  /** Real files are below 1 MiB; this bounds what a hostile one costs the NodeManager. */
  private static final long MAX_BYTES = 16L << 20;

  private JobSettings() {}

  /**
   * Returns the text of a file.
   *
   * @throws IOException if it cannot be read or is too large
   */
  static String read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
    }
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /** Returns the value of a key, empty if the text does not have it. */
  static Optional<String> find(String text, String key) {
    Matcher matcher =
        Pattern.compile("<name>" + Pattern.quote(key) + "</name><value>([^<]*)</value>")
            .matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
