// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import io.hottub.protocol.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A script of an installation that a file of another program's settings has to source. */
final class SourcedScript {
  private final Path script;
  private final Pattern line;

  SourcedScript(Path script) {
    this.script = script;
    String name = Pattern.quote(script.getFileName().toString());
    line = Pattern.compile("(?m)^[ \\t]*(?:[.]|source)[ \\t]+[\"']?([^\"'#;\\s]*" + name + ")");
  }

  /** The line of whoever sources it. */
  String line() {
    return ". " + script;
  }

  /** Whether a file sources a script of that name, of this installation or another. */
  boolean isNamedIn(Path file) throws IOException {
    return Files.exists(file) && line.matcher(SmallFile.read(file)).find();
  }

  /**
   * Looks at a file.
   *
   * @param without what is so where the file does not source it
   * @param todo what to do then
   */
  Finding look(Path file, String without, String todo) throws IOException {
    Matcher found = line.matcher(Files.exists(file) ? SmallFile.read(file) : "");
    if (!found.find()) {
      return Finding.warning(file + " has no line for HotTub: " + without, todo);
    }
    Path named = Path.of(found.group(1));
    if (found.group(1).contains("$")) {
      return Finding.ok(file + " has the line for HotTub, " + named);
    }
    if (!Files.exists(named)) {
      return Finding.failed(file + " names " + named + ", which is not there", todo);
    }
    if (!Files.exists(script) || !Files.isSameFile(named, script)) {
      return Finding.warning(
          "%s names %s, which is of another installation".formatted(file, named), todo);
    }
    return Finding.ok(file + " has the line for HotTub");
  }
}
