// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import io.hottub.it.harness.NeedsHome;

/** The newest Spark 4. */
@NeedsHome
class Spark4IT extends SparkJobs {
  @Override
  protected String version() {
    return "4";
  }
}
