// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.SparkListenerEnvironmentUpdate;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.collection.JavaConverters;
import scala.collection.Seq;

class LeaseTableTest {
  private final BlockingQueue<SparkListenerEvent> bus = new LinkedBlockingQueue<>();
  private final LeaseTable table = new LeaseTable(bus::add);

  @AfterEach
  void close() {
    table.close();
  }

  private static Seq<Tuple2<String, String>> section(String name, String value) {
    return JavaConverters.asScalaBuffer(List.of(new Tuple2<>(name, value)));
  }

  private static SparkListenerEnvironmentUpdate update(String value) {
    return new SparkListenerEnvironmentUpdate(
        JavaConverters.mapAsScalaMap(
            Map.of("Spark Properties", section("a", value), "Other", section("b", "2"))));
  }

  /** The Spark properties of the next update that is posted. */
  private String posted() throws InterruptedException {
    var update = (SparkListenerEnvironmentUpdate) bus.poll(10, TimeUnit.SECONDS);
    assertNotNull(update);
    table.onEnvironmentUpdate(update);
    var sections = JavaConverters.mapAsJavaMap(update.environmentDetails());
    assertEquals(
        List.of(new Tuple2<>("b", "2")), JavaConverters.seqAsJavaList(sections.get("Other")));
    return JavaConverters.seqAsJavaList(sections.get("Spark Properties")).toString();
  }

  @Test
  void entriesComeAfterTheProperties() throws Exception {
    table.put("driver", "cold: log");
    assertNull(bus.poll(100, TimeUnit.MILLISECONDS), "nothing to add it to yet");
    table.onEnvironmentUpdate(update("1"));
    assertEquals("[(a,1), (spark.hottub.jvm.driver,cold: log)]", posted());
    table.put("executor.1", "warm");
    assertEquals(
        "[(a,1), (spark.hottub.jvm.driver,cold: log), (spark.hottub.jvm.executor.1,warm)]",
        posted());
  }

  @Test
  void entriesSurviveUpdatesOfOthers() throws Exception {
    table.onEnvironmentUpdate(update("1"));
    table.put("driver", "warm");
    assertEquals("[(a,1), (spark.hottub.jvm.driver,warm)]", posted());
    table.onEnvironmentUpdate(update("2"));
    assertEquals("[(a,2), (spark.hottub.jvm.driver,warm)]", posted());
    assertNull(bus.poll(1500, TimeUnit.MILLISECONDS), "its own update needs no answer");
  }

  @Test
  void thePageDoesNotGrowForEver() throws Exception {
    table.onEnvironmentUpdate(update("1"));
    for (int i = 0; i < 1000; i++) {
      table.put("executor." + i, "warm");
    }
    String properties = posted();
    while (!bus.isEmpty() || !properties.contains("executor.499")) {
      properties = posted();
    }
    assertEquals(-1, properties.indexOf("executor.500"));
  }

  @Test
  void nothingIsPostedAfterTheEnd() throws Exception {
    table.close();
    table.onEnvironmentUpdate(update("1"));
    table.put("driver", "warm");
    assertNull(bus.poll(100, TimeUnit.MILLISECONDS));
  }
}
