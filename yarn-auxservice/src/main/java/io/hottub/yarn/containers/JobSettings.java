// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds one setting in a {@code job.xml}. Hadoop writes that file, always in the same form; it is
 * read as text, because a value in it may hold what parsers of XML refuse, and because a user's
 * file must not make the NodeManager open others.
 */
final class JobSettings {
  private JobSettings() {}

  /** Returns the value of a key, empty if the text does not have it. */
  static Optional<String> find(String text, String key) {
    Matcher matcher =
        Pattern.compile("<name>" + Pattern.quote(key) + "</name><value>([^<]*)</value>")
            .matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
