// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.hottub.yarn.cluster.NodeRecord;
import io.hottub.yarn.cluster.NodeRecord.Jvms;
import io.hottub.yarn.cluster.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.Test;

class WarmNodesTest {
  private static final String FP = "a".repeat(32);
  private static final String OTHER_FP = "b".repeat(32);
  private static final Task TASK = new Task("alice", 1024);
  private static final NodeId A = NodeId.newInstance("a.example", 1);
  private static final NodeId B = NodeId.newInstance("b.example", 2);
  private static final NodeId C = NodeId.newInstance("c.example", 3);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final AtomicLong clock = new AtomicLong(7);
  private final MetricRegistry registry = new MetricRegistry();
  private final WarmNodes nodes = new WarmNodes(Duration.ofSeconds(20), clock::get);
  private final WarmPreference preference = new WarmPreference(LONGEST, clock::get, registry);

  private static NodeRecord record(String yarnNode, boolean drained, Map<String, Jvms> jvms) {
    return new NodeRecord("1", 16, drained, yarnNode, new TreeMap<>(jvms));
  }

  private static Map<String, Jvms> idle(int count, Task task) {
    return Map.of(FP, new Jvms(count, 0, 0, 0, false, task));
  }

  private void update(Map<String, NodeRecord> records) {
    nodes.update(records, List.of(A, B, C));
  }

  private Set<NodeId> serving(Task task) {
    return nodes.serving(task).keySet();
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private boolean declines(NodeId offered, int containers, int room) {
    return preference.declines(nodes.serving(TASK), offered, containers, id -> room);
  }

  private long count(String name) {
    return registry.counter("locality." + name).getCount();
  }

  @Test
  void onlyTasksOfTheSameUserAndMemoryAreServed() {
    update(Map.of("x", record("a.example:1", false, idle(2, TASK))));
    assertEquals(Set.of(A), serving(TASK));
    assertEquals(2, nodes.serving(TASK).get(A).idle());
    assertEquals(Set.of(), serving(new Task("bob", 1024)));
    assertEquals(Set.of(), serving(new Task("alice", 2048)));
  }

  @Test
  void aNodeWhosePortChangesIsKnownByItsHost() {
    update(Map.of("x", record("b.example", false, idle(1, TASK))));
    assertEquals(Set.of(B), serving(TASK));
    update(Map.of("x", record("", false, idle(1, TASK))));
    assertEquals(Set.of(), serving(TASK));
  }

  @Test
  void whatIsDrainedOrLeasedServesNothing() {
    update(
        Map.of(
            "x", record("a.example:1", true, idle(1, TASK)),
            "y", record("b.example:2", false, Map.of(FP, new Jvms(1, 0, 0, 0, true, TASK))),
            "z", record("c.example:3", false, Map.of(FP, new Jvms(0, 1, 0, 1, false, TASK)))));
    assertEquals(Set.of(), serving(TASK));
  }

  @Test
  void ofATemplateThereAreAsManyAsTheNodeHasRoomFor() {
    update(
        Map.of(
            "x", record("a.example:1", false, Map.of(FP, new Jvms(1, 2, 1, 0, false, TASK))),
            "y", record("b.example:2", false, Map.of(FP, new Jvms(0, 15, 1, 0, false, TASK)))));
    assertEquals(Set.of(A), serving(TASK));
    assertEquals(1 + 12, nodes.serving(TASK).get(A).idle());
  }

  @Test
  void anotherNodeKnowsWhatAFingerprintServes() {
    NodeRecord warmed =
        record("a.example:1", false, Map.of(FP, new Jvms(1, 0, 0, 0, false), OTHER_FP, jvm()));
    update(Map.of("x", warmed));
    assertEquals(Set.of(), serving(TASK));
    update(Map.of("x", warmed, "y", record("b.example:2", false, idle(0, TASK))));
    assertEquals(Set.of(A), serving(TASK));
    assertEquals(1, nodes.serving(TASK).get(A).idle());
    update(Map.of("x", warmed));
    assertEquals(Set.of(A), serving(TASK), "it is remembered");
  }

  private static Jvms jvm() {
    return new Jvms(1, 0, 0, 0, false);
  }

  @Test
  void aJvmThatIsTakenIsGoneUntilTheNextRecord() {
    Map<String, NodeRecord> same = Map.of("x", record("a.example:1", false, idle(1, TASK)));
    update(same);
    assertTrue(nodes.serving(TASK).get(A).take());
    assertFalse(nodes.serving(TASK).get(A).take());
    update(Map.of("x", record("a.example:1", false, idle(1, TASK))));
    assertEquals(0, nodes.serving(TASK).get(A).idle());
    update(Map.of("x", record("a.example:1", false, idle(2, TASK))));
    assertEquals(2, nodes.serving(TASK).get(A).idle());
  }

  @Test
  void aJvmThatWasTakenTooShortlyForARecordIsBackAfterAWhile() {
    update(Map.of("x", record("a.example:1", false, idle(1, TASK))));
    assertTrue(nodes.serving(TASK).get(A).take());
    pass(Duration.ofSeconds(20));
    assertEquals(0, nodes.serving(TASK).get(A).idle());
    pass(Duration.ofNanos(1));
    assertEquals(1, nodes.serving(TASK).get(A).idle());
    assertTrue(nodes.serving(TASK).get(A).take());
  }

  @Test
  void otherNodesAreDeclinedOnlyWhileAllThatIsMissingHasAWarmPlace() {
    assertFalse(declines(B, 1, 9), "nothing is warm");
    update(
        Map.of(
            "x", record("a.example:1", false, idle(2, TASK)),
            "y", record("c.example:3", false, idle(1, TASK))));
    assertFalse(declines(A, 1, 9), "is warm itself");
    assertTrue(declines(B, 1, 9));
    assertTrue(declines(B, 3, 9));
    assertFalse(declines(B, 4, 9), "some have to be cold anyway");
    assertTrue(declines(B, 2, 1));
    assertFalse(declines(B, 3, 1), "no room");
    assertFalse(declines(B, 1, 0), "no room at all");
    nodes.serving(TASK).get(A).take();
    nodes.serving(TASK).get(A).take();
    assertFalse(declines(A, 2, 9), "warm no more, and too few places");
    assertTrue(declines(A, 1, 9), "warm no more");
    assertEquals(1, count("waits"));
  }

  @Test
  void theWaitIsBounded() {
    update(Map.of("x", record("a.example:1", false, idle(1, TASK))));
    pass(LONGEST);
    assertTrue(declines(B, 1, 1));
    pass(Duration.ofNanos(1));
    assertFalse(declines(B, 1, 1));
    assertFalse(declines(B, 1, 1));
    assertEquals(1, count("given_up"));
    preference.begin();
    assertTrue(declines(B, 1, 1));
    assertEquals(2, count("waits"));
  }

  @Test
  void whoDidNotWaitGaveNothingUp() {
    update(Map.of("x", record("a.example:1", false, idle(1, TASK))));
    pass(LONGEST.plusNanos(1));
    assertFalse(declines(B, 1, 1));
    assertEquals(0, count("given_up") + count("waits"));
  }
}
