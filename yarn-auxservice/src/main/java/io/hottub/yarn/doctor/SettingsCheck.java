// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import io.hottub.yarn.config.ConfigCheck;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Whether every setting of HotTub is known and has a value that is allowed. */
final class SettingsCheck implements Check {
  private final Configuration conf;

  SettingsCheck(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public String name() {
    return "settings";
  }

  @Override
  public String right() {
    return "Every setting of HotTub in yarn-site.xml is known, and has a value that is allowed";
  }

  @Override
  public Finding look() {
    List<String> problems = new ArrayList<>(ConfigCheck.problems(conf));
    problems.addAll(ConfigCheck.wrongValues(conf));
    return problems.isEmpty()
        ? Finding.ok("the settings of HotTub are known and allowed")
        : Finding.failed(
            String.join("; ", problems), "correct them (docs/configuration.md), then restart");
  }
}
