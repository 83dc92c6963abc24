// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Whether spark-submit on this machine knows the setting {@code spark.hottub.enabled}. */
final class SparkEnvCheck implements Check {
  private final SourcedScript script;
  private final Environment environment;

  SparkEnvCheck(Path install, Map<String, String> environment) {
    this.script = new SourcedScript(install.resolve("conf/spark-env-hottub.sh"));
    this.environment = new Environment(environment);
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
    return script.look(file, "drivers are cold", "add to %s: %s".formatted(file, script.line()));
  }

  /** The folder of settings that spark-submit would take. */
  private Optional<Path> conf() throws IOException {
    Optional<Path> configured = environment.path("SPARK_CONF_DIR");
    return configured.isPresent()
        ? configured
        : environment.home("SPARK_HOME", "spark-submit").map(home -> home.resolve("conf"));
  }
}
