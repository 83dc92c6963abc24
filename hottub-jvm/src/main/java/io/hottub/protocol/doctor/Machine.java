// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The machine that is looked at, as the caller sees it.
 *
 * @param install folder where HotTub was installed
 * @param home HotTub home that its runs use
 * @param environment of the caller's runs
 */
public record Machine(Path install, Path home, Map<String, String> environment) {
  /**
   * All checks, in the order in which they are told.
   *
   * @param node whether it is one
   * @param ofNodes what is looked at on nodes only
   */
  public List<Check> checks(NodeCheck node, List<Check> ofNodes) {
    List<Check> checks = new ArrayList<>();
    checks.add(new HomeCheck(home));
    checks.add(new VersionsCheck(install, home));
    checks.add(new JdkCheck(home, environment));
    checks.add(new RootCheck(environment));
    checks.add(node);
    checks.addAll(ofNodes);
    checks.add(new SparkEnvCheck(install, environment));
    checks.add(new HadoopProfileCheck(install, environment));
    checks.add(new SmokeCheck(home, environment));
    return checks;
  }
}
