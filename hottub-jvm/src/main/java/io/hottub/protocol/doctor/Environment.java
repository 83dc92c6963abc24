// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where the programs of a caller are.
 *
 * @param variables of the caller's runs
 */
record Environment(Map<String, String> variables) {
  /** What a variable names, if it is set and not empty. */
  Optional<Path> path(String variable) {
    return value(variable).map(Path::of);
  }

  /**
   * The folder of a product.
   *
   * @param variable that names it
   * @param program in its {@code bin}, which is looked for on the PATH where the variable is not
   *     set
   */
  Optional<Path> home(String variable, String program) throws IOException {
    Optional<Path> home = path(variable);
    for (String folder : value("PATH").orElse("").split(File.pathSeparator, -1)) {
      Path found = Path.of(folder, program);
      if (home.isEmpty() && Files.isExecutable(found)) {
        home = Optional.ofNullable(found.toRealPath().getParent()).map(Path::getParent);
      }
    }
    return home;
  }

  private Optional<String> value(String variable) {
    return Optional.ofNullable(variables.get(variable)).filter(value -> !value.isEmpty());
  }
}
