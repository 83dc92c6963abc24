// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.List;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;

/** The tab for applications in a history server that has our jar beside Spark's. */
public final class SparkHistoryTab implements AppHistoryServerPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(SparkHistoryTab.class);

  /** None: what the tab shows is in the environment of an application, which Spark reads anyway. */
  @Override
  @SuppressWarnings("unchecked")
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    return (List<SparkListener>) (List<?>) Nil$.MODULE$;
  }

  @Override
  public void setupUI(SparkUI ui) {
    try {
      if (!ServedTable.of(ui.store()).isEmpty()) {
        ui.attachTab(new SparkTab(ui));
      }
    } catch (RuntimeException | LinkageError e) {
      // As an application that ended before it began; or a release that has changed what we use.
      LOG.warn("Cannot show how JVMs were served by HotTub: {}", e.toString());
    }
  }
}
