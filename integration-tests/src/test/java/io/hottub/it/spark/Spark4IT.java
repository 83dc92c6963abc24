// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import io.hottub.it.harness.NeedsHome;
import org.junit.jupiter.api.Tag;

/** The newest Spark 4. */
@NeedsHome
@Tag("long")
class Spark4IT extends SparkJobs {
  @Override
  protected String version() {
    return "4";
  }
}
