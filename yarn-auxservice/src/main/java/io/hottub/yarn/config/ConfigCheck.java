// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import io.hottub.protocol.jdk.Jdk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** What an operator has probably meant otherwise. None of it stops a NodeManager. */
public final class ConfigCheck {
  /** YARN's own settings for an auxiliary service, as of {@code YarnConfiguration}. */
  private static final Set<String> OF_YARN =
      Set.of("class", "classpath", "remote-classpath", "system-classes");

  private ConfigCheck() {}

  /** A sentence for each value that is not allowed. Whoever reads the setting says so, too. */
  public static List<String> wrongValues(Configuration conf) {
    return HotTubConfig.keys().stream().flatMap(key -> key.problem(conf).stream()).toList();
  }

  /** A sentence for each, with the setting, what is wrong with it, and what to do. */
  public static List<String> problems(Configuration conf) {
    List<String> problems = new ArrayList<>();
    Set<String> known =
        HotTubConfig.keys().stream().map(ConfigKey::name).collect(Collectors.toSet());
    Set<String> unknown = new TreeSet<>();
    for (Map.Entry<String, String> entry : conf) {
      String name = entry.getKey();
      if (name.startsWith(HotTubConfig.PREFIX)
          && !known.contains(name)
          && !OF_YARN.contains(name.substring(HotTubConfig.PREFIX.length()))) {
        unknown.add(name);
      }
    }
    for (String name : unknown) {
      problems.add(name + " is no setting of HotTub and is ignored; see docs/configuration.md");
    }
    HotTubConfig.HOME
        .read(conf)
        .flatMap(home -> new Jdk(home).lacks())
        .ifPresent(
            file ->
                problems.add(
                    HotTubConfig.HOME.name()
                        + " names no whole HotTub home: there is no "
                        + file
                        + ", and no container is routed; install HotTub there or correct the path"));
    return problems;
  }
}
