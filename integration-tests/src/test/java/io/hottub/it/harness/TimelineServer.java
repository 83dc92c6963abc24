// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** YARN's timeline server on loopback, for applications of Tez. */
public final class TimelineServer {
  private static final String MAIN =
      "org.apache.hadoop.yarn.server.applicationhistoryservice.ApplicationHistoryServer";

  private static final List<String> TYPES =
      List.of("TEZ_DAG_ID", "TEZ_VERTEX_ID", "TEZ_TASK_ID", "TEZ_TASK_ATTEMPT_ID");

  /** Settings of an application that writes to it, by the program {@code TimelineHistory}. */
  public static final List<String> SETTINGS =
      List.of(
          "yarn.timeline-service.enabled=true",
          "tez.history.logging.service.class=TimelineHistory");

  private final String web;

  private TimelineServer(String web) {
    this.web = web;
  }

  /** Starts it; it ends with the cluster. */
  public static TimelineServer start(YarnNode node) throws IOException, InterruptedException {
    List<Integer> ports = Ports.free(2);
    String web = "127.0.0.1:" + ports.get(1);
    node.set("yarn.timeline-service.address", "127.0.0.1:" + ports.get(0));
    node.set("yarn.timeline-service.webapp.address", web);
    node.set("yarn.timeline-service.bind-host", "127.0.0.1");
    node.set(
        "yarn.timeline-service.leveldb-timeline-store.path",
        Files.createDirectory(node.dir().resolve("timeline")).toString());
    node.start(MAIN, List.of());
    TimelineServer server = new TimelineServer(web);
    Await.until("the timeline server answers", () -> server.read("").has("About"));
    return server;
  }

  private JsonNode read(String path) throws IOException {
    return new ObjectMapper().readTree(Servers.read("http://" + web + "/ws/v1/timeline/" + path));
  }

  /** How many there are of each kind that an application has written, by how they ended. */
  public Map<String, Integer> ends(String application) throws IOException {
    Map<String, Integer> ends = new TreeMap<>();
    for (String type : TYPES) {
      JsonNode entities = read(type + "?primaryFilter=applicationId:" + application);
      for (JsonNode entity : entities.path("entities")) {
        ends.merge(type + " " + entity.at("/otherinfo/status").asText(), 1, Integer::sum);
      }
    }
    return ends;
  }
}
