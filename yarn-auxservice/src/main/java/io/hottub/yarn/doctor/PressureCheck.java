// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import io.hottub.yarn.config.HotTubConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** Whether the kernel tells memory pressure, so that idle JVMs give way. */
final class PressureCheck implements Check {
  private final Configuration conf;

  PressureCheck(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public String name() {
    return "pressure";
  }

  @Override
  public String right() {
    return "The kernel tells memory pressure (PSI), so that idle JVMs give way";
  }

  @Override
  public Finding look() {
    Path file = HotTubConfig.PRESSURE_FILE.read(conf);
    return Files.isReadable(file)
        ? Finding.ok("idle JVMs give way under memory pressure")
        : Finding.warning(
            "idle JVMs do not give way under memory pressure: there is no " + file,
            "a kernel of 4.20 or newer, on some distributions with psi=1 on its command line");
  }
}
