// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.protocol.Isolation;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Lets the launch script of a container find out whether its application asks for HotTub.
 *
 * <p>With the Linux container executor YARN leaves an application's files with mode 0500 to the
 * container's user, so that the NodeManager cannot read them. The launch script runs as that user.
 * YARN writes the value of a variable between double quotes there, where it may hold commands. If
 * they fail, or the container has no such program or no home, the value is that without HotTub.
 */
final class LaunchScript {
  static final String JAVA_HOME = "JAVA_HOME";

  private LaunchScript() {}

  /** Settings of an application that only its user may read. */
  record Closed(Engine engine, Path file) {
    private String grep(String options, String key, String value) {
      String pattern = engine.pattern(key.replace(".", "[.]"), value);
      return "LC_ALL=C grep -aE"
          + options
          + " -e "
          + quoted(pattern)
          + " -- "
          + quoted(file.toString());
    }

    /** A command that succeeds if they ask for HotTub. */
    private String asks() {
      return grep("q", engine.enabledKey(), "[Tt][Rr][Uu][Ee]");
    }

    /** A command that writes the isolation that they have, or fails. */
    private String isolation() {
      String words =
          Arrays.stream(Isolation.values()).map(Isolation::word).collect(Collectors.joining("|"));
      return grep("om 1", engine.isolationKey(), "(" + words + ")")
          + " | grep -aoE "
          + quoted("(" + words + ")");
    }
  }

  /**
   * What YARN gives, as it writes that into the script: an image's own comes before that of the
   * NodeManager.
   */
  static String javaHomeOf(Configuration conf) {
    String ours = System.getenv(JAVA_HOME);
    String passedOn =
        conf.get(YarnConfiguration.NM_ENV_WHITELIST, YarnConfiguration.DEFAULT_NM_ENV_WHITELIST);
    return ours != null && List.of(passedOn.split(",", -1)).contains(JAVA_HOME)
        ? "${JAVA_HOME:-" + ours + "}"
        : "${JAVA_HOME-}";
  }

  /**
   * The home if one of them asks for it.
   *
   * @param otherwise {@link #javaHomeOf}
   */
  static String javaHome(List<Closed> settings, Path home, String otherwise) {
    String asks = settings.stream().map(Closed::asks).collect(Collectors.joining(" || "));
    return "$({ [ -x %s ] && { %s; }; } 2>/dev/null && echo %s || echo \"%s\")"
        .formatted(
            quoted(home.resolve("bin/java").toString()), asks, quoted(home.toString()), otherwise);
  }

  /** The isolation that one of them has chosen that asks for HotTub. */
  static String isolation(List<Closed> settings, Isolation otherwise) {
    String chosen =
        settings.stream()
            .map(closed -> "{ " + closed.asks() + " && " + closed.isolation() + "; }")
            .collect(Collectors.joining(" || "));
    return "$({ %s; } 2>/dev/null || echo %s)".formatted(chosen, otherwise.word());
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
