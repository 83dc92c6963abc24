// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.packages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Parcel;
import io.hottub.it.harness.SparkHome;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.Tarball;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The parcel on a host without Cloudera Manager: a NodeManager and a Spark in which nothing is
 * changed get HotTub by the parcel's script alone.
 */
@NeedsHome
@Tag("long")
class ParcelIT extends SparkOnYarn {
  private static final Pattern PROFILED =
      Pattern.compile("\"name\": \"([a-z_.]+)\",\\s*\"type\": \"(gauges|counters)\"");
  private static final Pattern ALERTED =
      Pattern.compile("hottub:name=([a-z_.]+),type=(gauges|counters)/");

  private Parcel parcel;

  @Override
  protected String version() {
    return "3";
  }

  @Override
  protected Path installedHome() throws Exception {
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

  /** The beans that telemetry and alerts of the management pack for Ambari name. */
  @Test
  void whatManagersWatchIsThere() throws Exception {
    Path service = Tarball.DEPLOY.resolve("ambari/mpack/addon-services/HOTTUB/0.1.0");
    String watched =
        Files.readString(service.resolve("telemetry-profiles/hottub.json"))
            + Files.readString(service.resolve("alerts.json"));
    Set<String> beans = new TreeSet<>();
    for (Pattern bean : List.of(PROFILED, ALERTED)) {
      bean.matcher(watched)
          .results()
          .forEach(named -> beans.add("hottub:name=" + named.group(1) + ",type=" + named.group(2)));
    }
    assertTrue(beans.size() > 10, beans.toString());
    for (String bean : beans) {
      assertTrue(node.jmx(bean).contains(bean), bean);
    }
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
