// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.faults.FaultReport.Entry;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.WaitingRuns;
import io.hottub.it.harness.YarnNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Disturbs a real node again and again, in ways and at moments that follow from a seed. Every job
 * has to end as on a stock JVM, the pool has to serve again within 10 s, and in the end no process
 * may be left. Run by {@code integration-tests/campaigns/faults/run}.
 */
@NeedsHome
@SuppressWarnings("try") // close waits for others; an interrupt fails the campaign
class FaultCampaign {
  private static final Duration SERVING = Duration.ofSeconds(10);
  private static final int IDLE_SECONDS = 20;
  private static final String SERVICE = "yarn.nodemanager.aux-services.hottub.";

  private static final int COUNT = Integer.getInteger("hottub.faults.count", 40);
  private static final long SEED = Long.getLong("hottub.faults.seed", 1);
  private static final String ONLY = System.getProperty("hottub.faults.only", "");

  private static YarnNode node(Pool pool) throws Exception {
    YarnNode node = new YarnNode(pool.root(), Home.path());
    node.set("yarn.nodemanager.recovery.enabled", "true");
    node.set("yarn.nodemanager.recovery.supervised", "true");
    node.set(SERVICE + "idle-seconds", Integer.toString(IDLE_SECONDS));
    // Less than any jump of the clock.
    node.set(SERVICE + "max-age-seconds", "3000");
    // Crashes of one program are what this is about: they are not to close its fingerprint.
    node.set(SERVICE + "crashes", "0");
    return node;
  }

  /** Every kind in proportion to its share, in an order that the seed decides. */
  private static List<String> plan(Map<String, Integer> shares) {
    List<String> once = new ArrayList<>();
    shares.forEach((kind, share) -> once.addAll(Collections.nCopies(share, kind)));
    once.removeIf(kind -> !kind.contains(ONLY));
    List<String> plan = new ArrayList<>();
    while (plan.size() < COUNT) {
      plan.addAll(once);
    }
    Collections.shuffle(plan, new Random(SEED));
    return plan.subList(0, COUNT);
  }

  @Test
  void everyJobEndsAsOnAStockJvm() throws Exception {
    Pool pool = new Pool();
    YarnNode node = node(pool);
    FaultReport report = new FaultReport(SEED);
    try {
      node.startResourceManager();
      WaitingRuns runs = new WaitingRuns(pool, node.client());
      try (ZooKeeperFaults clusterFaults = new ZooKeeperFaults(node, runs)) {
        disturb(pool, node, runs, clusterFaults, report);
      }
    } finally {
      pool.retireAll();
      node.close();
      pool.close();
      report.write(Path.of(System.getProperty("hottub.faults.report", "target/faults.md")));
    }
    assertEquals(List.of(), report.wrong());
  }

  private static void disturb(
      Pool pool, YarnNode node, WaitingRuns runs, ZooKeeperFaults clusterFaults, FaultReport report)
      throws Exception {
    FaultJobs jobs = new FaultJobs(pool);
    Injector injector = new Injector(pool.work());
    NodeFaults nodeFaults = new NodeFaults(jobs, node, runs);
    ClockFaults clockFaults = new ClockFaults(jobs, injector, node, runs);
    PoolFaults poolFaults = new PoolFaults(jobs, injector);
    Map<String, Fault> kinds = new LinkedHashMap<>(poolFaults.kinds());
    Map<String, Integer> shares = poolFaults.shares();
    for (Map<String, Fault> slow :
        List.of(nodeFaults.kinds(), clockFaults.kinds(), clusterFaults.kinds())) {
      kinds.putAll(slow);
      slow.keySet().forEach(kind -> shares.put(kind, 1));
    }
    Random seeds = new Random(SEED);
    int number = 0;
    for (String kind : plan(shares)) {
      number++;
      report.add(one(number, kind, kinds.get(kind), new Random(seeds.nextLong()), jobs));
    }
    report.left(processesLeft(jobs));
  }

  private static Entry one(int number, String kind, Fault fault, Random random, FaultJobs jobs)
      throws Exception {
    Fault.Injection injection = new Fault.Injection("", true, "");
    String wrong = "";
    long ms = -1;
    try {
      injection = fault.inject(random);
      ms = jobs.awaitServing(SERVING);
    } catch (AssertionError | Exception e) {
      wrong = e.toString();
      jobs.retireAll();
    }
    return new Entry(number, kind, injection, ms, wrong);
  }

  /** After their time nothing is to be left, without anybody asking for it. */
  private static List<Long> processesLeft(FaultJobs jobs) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(IDLE_SECONDS + 20).toNanos();
    while (!jobs.processes().isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(200);
    }
    return jobs.processes();
  }
}
