// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.packages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Parcel;
import io.hottub.it.harness.SparkHome;
import io.hottub.it.harness.SparkOnYarn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The parcel on a host without Cloudera Manager: a NodeManager and a Spark in which nothing is
 * changed get HotTub by the parcel's script alone.
 */
@NeedsHome
class ParcelIT extends SparkOnYarn {
  private Parcel parcel;

  @Override
  protected String version() {
    return "3";
  }

  @Override
  protected Path home() throws Exception {
    parcel = new Parcel(Files.createDirectory(pool.work().resolve("cloudera")));
    return parcel.path().resolve("home");
  }

  @Override
  protected void startNodeManager() throws Exception {
    node.startNodeManagerWith(parcel.environment().get("HADOOP_CLASSPATH"));
  }

  @Override
  protected SparkHome installSpark() throws Exception {
    return new SparkHome(node, pool, version(), parcel.path(), parcel.environment());
  }

  @Test
  void everyJvmOfAnApplicationIsWarm() throws Exception {
    assertEveryJvmIsWarm("client");
    assertEveryJvmIsWarm("client");
  }

  @Test
  void theCommandWorksByItsLink() throws Exception {
    Path link = folder().resolve("hottub");
    Files.createSymbolicLink(link, parcel.path().resolve("bin/hottub"));
    Process command = pool.builder(List.of(link.toString(), "ps")).start();
    String out = new String(command.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, command.waitFor());
    assertTrue(out.contains("YarnCoarseGrainedExecutorBackend"), out);
  }
}
