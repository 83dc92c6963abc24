// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import io.hottub.protocol.Reasons;
import io.hottub.protocol.Reasons.Kind;
import io.hottub.protocol.Reasons.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Says in the driver's log which JVMs of an application that asks for HotTub found no warm JVM: one
 * line for each reason, however many JVMs follow with it.
 */
final class NotWarm {
  /** Executors come in groups, and one line is to name the group. */
  static final int GROUP_MS = 3000;

  private static final int MOST_NAMES = 5;

  private final Consumer<String> complain;
  private final Consumer<String> tell;
  private final int groupMs;
  private final Timer timer = new Timer("hottub-not-warm", true);
  private final Map<String, List<String>> groups = new LinkedHashMap<>();
  private final Set<String> said = new HashSet<>();
  private boolean closed;

  /**
   * @param complain gets what somebody may want to change
   * @param tell gets what is as it should be
   */
  NotWarm(Consumer<String> complain, Consumer<String> tell, int groupMs) {
    this.complain = complain;
    this.tell = tell;
    this.groupMs = groupMs;
  }

  /**
   * @param name {@code driver}, or the id of an executor
   */
  synchronized void add(String name, Served served) {
    String reason = served.reason();
    if (reason.isEmpty() || said.contains(reason) || closed) {
      return;
    }
    List<String> group = groups.get(reason);
    if (group == null) {
      group = new ArrayList<>();
      groups.put(reason, group);
      schedule(reason);
    }
    group.add(name);
  }

  private void schedule(String reason) {
    TimerTask task =
        new TimerTask() {
          @Override
          public void run() {
            say(reason);
          }
        };
    timer.schedule(task, groupMs);
  }

  private synchronized void say(String reason) {
    if (!said.add(reason)) {
      return;
    }
    String names = names(groups.remove(reason));
    if (reason.equals(Served.NEW)) {
      tell.accept(
          "HotTub started a JVM for the pool for each of these, as for every first run of its kind;"
              + " the next run finds it warm: "
              + names);
    } else {
      complain.accept(
          "HotTub is asked for, and these are cold: %s. The reason is %s%s"
              .formatted(names, reason, explained(reason)));
    }
  }

  private static String names(List<String> group) {
    int more = group.size() - MOST_NAMES;
    String names = String.join(", ", group.subList(0, Math.min(group.size(), MOST_NAMES)));
    return more > 0 ? names + " and " + more + " more" : names;
  }

  /** What the table of reasons says of a word, in brackets behind a blank; empty if nothing. */
  static String explained(String word) {
    return Stream.of(Kind.COLD, Kind.PLUG_IN)
        .map(kind -> Reasons.of(kind, word))
        .flatMap(Optional::stream)
        .map(Reason::explained)
        .findFirst()
        .map(text -> " (" + text + ")")
        .orElse("");
  }

  /** Says at once what was still to be said, and nothing any more. */
  synchronized void close() {
    closed = true;
    timer.cancel();
    List.copyOf(groups.keySet()).forEach(this::say);
  }
}
