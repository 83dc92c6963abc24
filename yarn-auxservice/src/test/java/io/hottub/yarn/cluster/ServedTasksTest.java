// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.JvmState;
import io.hottub.yarn.cluster.NodeRecord.Jvms;
import io.hottub.yarn.pool.MockPool;
import java.io.IOException;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.api.ContainerInitializationContext;
import org.apache.hadoop.yarn.server.api.ContainerType;
import org.junit.jupiter.api.Test;

class ServedTasksTest {
  private static final String FP = "a".repeat(32);
  private static final Jvms IDLE = new Jvms(1, 0, 0, 0, false);

  private final ServedTasks tasks = new ServedTasks();

  private static ContainerId id(int number) {
    return ContainerId.newContainerId(
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), number);
  }

  private void starts(int number, String user, ContainerType type) {
    tasks.starts(
        new ContainerInitializationContext(user, id(number), Resource.newInstance(640, 1), type));
  }

  private void run(int container, String served) throws Exception {
    tasks.run(
        JournalEntry.parse(
            "{\"event\":\"run\",\"served\":\"%s\",\"fingerprint\":\"%s\",\"container_id\":\"%s\"}"
                .formatted(served, FP + "b".repeat(32), id(container))));
  }

  private Jvms known() throws IOException {
    try (MockPool jvms = new MockPool()) {
      jvms.add(1, "a", JvmState.IDLE);
      return tasks.byFingerprint(jvms.view()).get(FP);
    }
  }

  @Test
  void aTaskOfThePoolIsKnown() throws Exception {
    starts(2, "alice", ContainerType.TASK);
    assertEquals(IDLE, known());
    run(2, "cold");
    assertEquals(IDLE, known());
    run(2, "pool");
    assertEquals(IDLE.with(new Task("alice", 640)), known());
  }

  @Test
  void templatesAreCountedApart() throws Exception {
    try (MockPool jvms = new MockPool()) {
      jvms.add(1, "a", JvmState.IDLE);
      jvms.add(2, "a", JvmState.TEMPLATE);
      jvms.add(3, "a", JvmState.RESETTING);
      assertEquals(new Jvms(1, 0, 1, 1, false), tasks.byFingerprint(jvms.view()).get(FP));
    }
  }

  @Test
  void othersAreNot() throws Exception {
    run(2, "pool");
    starts(1, "alice", ContainerType.APPLICATION_MASTER);
    run(1, "pool");
    starts(3, "a\"b", ContainerType.TASK);
    run(3, "pool");
    tasks.run(JournalEntry.parse("{\"event\":\"run\",\"served\":\"pool\"}"));
    assertEquals(IDLE, known());
  }
}
