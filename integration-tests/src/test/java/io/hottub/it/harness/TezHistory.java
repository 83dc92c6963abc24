// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What Tez has written of an application, event by event, with its own history service. Complete
 * only once the application has ended.
 */
public final class TezHistory {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final List<JsonNode> events = new ArrayList<>();

  /** That of all attempts of an application; {@code folder} is the one of the service. */
  TezHistory(Path folder, String application) throws IOException {
    String attempts = "history.txt." + application.replace("application", "appattempt") + "_*";
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, attempts)) {
      for (Path file : files) {
        String[] ended = Files.readString(file).split("\u0001\n", -1);
        // What follows the last separator a master that was killed has not written to its end.
        for (int event = 0; event < ended.length - 1; event++) {
          events.add(JSON.readTree(ended[event]));
        }
      }
    }
  }

  /** The events of this kind, as {@code TASK_ATTEMPT_FINISHED}. */
  private List<JsonNode> events(String type) {
    return events.stream()
        .filter(event -> event.at("/events/0/eventtype").asText().equals(type))
        .toList();
  }

  /** How attempts ended that did not succeed, each kind once: state, cause, diagnostics. */
  public Set<String> losses() {
    Set<String> losses = new TreeSet<>();
    for (JsonNode event : events("TASK_ATTEMPT_FINISHED")) {
      JsonNode end = event.path("otherinfo");
      if (!end.path("status").asText().equals("SUCCEEDED")) {
        losses.add(
            "%s, %s: %s"
                .formatted(
                    end.path("status").asText(),
                    end.path("taskAttemptErrorEnum").asText(),
                    withoutNames(end.path("diagnostics").asText())));
      }
    }
    return losses;
  }

  /** What is another in every application. */
  private static String withoutNames(String diagnostics) {
    return diagnostics
        .replaceAll("container(_e?[0-9]+)+", "CONTAINER")
        .replaceAll("attempt(_[0-9]+)+", "ATTEMPT")
        .replaceAll("\\[[0-9-]+ [0-9:.]+\\]", "")
        .strip();
  }

  /** How many graphs succeeded. */
  public long graphs() {
    return events("DAG_FINISHED").stream()
        .filter(event -> event.at("/otherinfo/status").asText().equals("SUCCEEDED"))
        .count();
  }

  /** Sum of a counter of all graphs. */
  public long counter(String name) {
    long sum = 0;
    for (JsonNode event : events("DAG_FINISHED")) {
      for (JsonNode counters : event.at("/otherinfo/counters").findValues("counters")) {
        for (JsonNode counter : counters) {
          if (counter.path("counterName").asText().equals(name)) {
            sum += counter.path("counterValue").asLong();
          }
        }
      }
    }
    return sum;
  }

  /** The containers that were started. */
  public Set<String> containers() {
    Set<String> containers = new TreeSet<>();
    events("CONTAINER_LAUNCHED").forEach(event -> containers.add(event.path("entity").asText()));
    return containers;
  }

  @Override
  public String toString() {
    return events.toString();
  }
}
