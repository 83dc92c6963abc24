// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import io.hottub.yarn.config.SupportedHadoop;

/** Whether the pool service knows this Hadoop. */
final class HadoopCheck implements Check {
  private final String version;

  HadoopCheck(String version) {
    this.version = version;
  }

  @Override
  public String name() {
    return "hadoop";
  }

  @Override
  public String right() {
    return "Hadoop is of a line of releases that HotTub was tested with: "
        + SupportedHadoop.lines();
  }

  @Override
  public Finding look() {
    return SupportedHadoop.supports(version)
        ? Finding.ok("Hadoop " + version)
        : Finding.failed(
            "the service stays inactive: it does not know Hadoop " + version,
            "take a HotTub that knows it; this one knows " + SupportedHadoop.lines());
  }
}
