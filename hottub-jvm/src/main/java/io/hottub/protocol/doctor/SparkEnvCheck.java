// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether spark-submit on this machine knows the setting {@code spark.hottub.enabled}. */
final class SparkEnvCheck implements Check {
  private static final String SCRIPT = "conf/spark-env-hottub.sh";
  private static final Pattern LINE =
      Pattern.compile("(?m)^[ \\t]*(?:[.]|source)[ \\t]+[\"']?([^\"'#;\\s]*spark-env-hottub[.]sh)");

  private final Path install;
  private final Map<String, String> environment;

  SparkEnvCheck(Path install, Map<String, String> environment) {
    this.install = install;
    this.environment = environment;
  }

  @Override
  public String name() {
    return "spark-env";
  }

  @Override
  public String right() {
    return "Where there is Spark (SPARK_CONF_DIR, SPARK_HOME, or spark-submit on the PATH), its"
        + " spark-env.sh has the line for this installation, so that drivers are pooled";
  }

  @Override
  public Finding look() throws IOException {
    Optional<Path> conf = conf();
    if (conf.isEmpty()) {
      return Finding.notApplicable(
          "no Spark: no SPARK_CONF_DIR, no SPARK_HOME, no spark-submit on the PATH");
    }
    Path file = conf.get().resolve("spark-env.sh");
    String add = "add to %s: . %s".formatted(file, install.resolve(SCRIPT));
    Matcher line = LINE.matcher(Files.exists(file) ? Files.readString(file) : "");
    if (!line.find()) {
      return Finding.warning(file + " has no line for HotTub: drivers are cold", add);
    }
    Path named = Path.of(line.group(1));
    if (line.group(1).contains("$")) {
      return Finding.ok(file + " has the line for HotTub, " + named);
    }
    if (!Files.exists(named)) {
      return Finding.failed(file + " names " + named + ", which is not there", add);
    }
    Path ours = install.resolve(SCRIPT);
    if (!Files.exists(ours) || !Files.isSameFile(named, ours)) {
      return Finding.warning(
          "%s names %s, which is of another installation".formatted(file, named), add);
    }
    return Finding.ok(file + " has the line for HotTub");
  }

  /** The folder of settings that spark-submit would take. */
  private Optional<Path> conf() throws IOException {
    Optional<Path> configured = variable("SPARK_CONF_DIR").map(Path::of);
    if (configured.isPresent()) {
      return configured;
    }
    Optional<Path> spark = variable("SPARK_HOME").map(Path::of);
    for (String folder : variable("PATH").orElse("").split(File.pathSeparator, -1)) {
      Path submit = Path.of(folder, "spark-submit");
      if (spark.isEmpty() && Files.isExecutable(submit)) {
        spark = Optional.ofNullable(submit.toRealPath().getParent()).map(Path::getParent);
      }
    }
    return spark.map(home -> home.resolve("conf"));
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
  }
}
