// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Consumer;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEnvironmentUpdate;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * How the JVMs of an application were served, among the Spark properties on the Environment page of
 * its web UI, and, by way of the event log, of the history server. Those show what the last update
 * of the environment said, so this repeats the update with our entries.
 */
final class LeaseTable extends SparkListener {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseTable.class);

  /** Of the names of entries. */
  static final String PREFIX = "spark.hottub.jvm.";

  private static final String SECTION = "Spark Properties";

  /** The update with all its entries goes into the event log each time. */
  private static final int MAX_ENTRIES = 500;

  private static final int LONGEST_DELAY_MS = 60_000;

  private final Consumer<SparkListenerEvent> bus;
  private final Timer timer = new Timer("hottub-lease-table", true);
  private final Map<String, String> entries = new LinkedHashMap<>();
  private SparkListenerEnvironmentUpdate latest;
  private SparkListenerEnvironmentUpdate ours;
  private boolean scheduled;
  private boolean closed;
  private int posted;

  /**
   * @param bus gets the updates
   */
  LeaseTable(Consumer<SparkListenerEvent> bus) {
    this.bus = bus;
  }

  /**
   * Adds or changes an entry.
   *
   * @param name {@code driver}, or the id of an executor
   */
  synchronized void put(String name, String lease) {
    LOG.info("HotTub: {}: {}", name, lease);
    if (entries.size() < MAX_ENTRIES || entries.containsKey(name)) {
      entries.put(name, lease);
      schedule();
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very object that was posted comes back
  public synchronized void onEnvironmentUpdate(SparkListenerEnvironmentUpdate update) {
    if (update != ours) {
      latest = update;
      if (!entries.isEmpty()) {
        schedule();
      }
    }
  }

  /** Later each time: executors may come by the hundred. */
  private void schedule() {
    if (latest != null && !scheduled && !closed) {
      scheduled = true;
      TimerTask task =
          new TimerTask() {
            @Override
            public void run() {
              post();
            }
          };
      timer.schedule(task, Math.min(posted * 1000L, LONGEST_DELAY_MS));
    }
  }

  private synchronized void post() {
    try {
      if (!closed) {
        bus.accept(update());
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Cannot show how JVMs were served by HotTub: {}", e.toString());
      close(); // a release of Spark that has changed what we use
    }
  }

  private SparkListenerEnvironmentUpdate update() {
    scheduled = false;
    posted++;
    // Scala's own conversions: the one way that Scala 2.12 and 2.13 have in common.
    Map<String, Seq<Tuple2<String, String>>> environment =
        new LinkedHashMap<>(JavaConverters.mapAsJavaMap(latest.environmentDetails()));
    List<Tuple2<String, String>> properties = new ArrayList<>();
    Seq<Tuple2<String, String>> before = environment.get(SECTION);
    if (before != null) {
      properties.addAll(JavaConverters.seqAsJavaList(before));
    }
    entries.forEach((name, lease) -> properties.add(new Tuple2<>(PREFIX + name, lease)));
    environment.put(SECTION, JavaConverters.asScalaBuffer(properties));
    ours = new SparkListenerEnvironmentUpdate(JavaConverters.mapAsScalaMap(environment));
    return ours;
  }

  /** Posts nothing any more. */
  synchronized void close() {
    closed = true;
    timer.cancel();
  }
}
