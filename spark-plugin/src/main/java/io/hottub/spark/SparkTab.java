// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;

/** A tab in the web UI of an application, running or in the history server. */
final class SparkTab extends SparkUITab {
  private static final String NAME = "HotTub";

  SparkTab(SparkUI ui) {
    super(ui, "hottub");
    attachPage(new SparkTabPage(this, ui.store()));
  }

  /** Not its path with a capital letter. */
  @Override
  public String name() {
    return NAME;
  }
}
