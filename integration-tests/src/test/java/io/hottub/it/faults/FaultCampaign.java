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
 * Disturbs a real node again and again, in ways and at moments that follow from a seed: first small
 * runs of {@code java}, then jobs of MapReduce, Tez and Spark. Everything has to end as on a stock
 * JVM, the pool has to serve again within 10 s, and in the end no process may be left. Run by
 * {@code integration-tests/campaigns/faults/run}.
 */
@NeedsHome
@SuppressWarnings("try") // close waits for others; an interrupt fails the campaign
class FaultCampaign {
  private static final Duration SERVING = Duration.ofSeconds(10);
  private static final int IDLE_SECONDS = 20;

  /** On stock JVMs, before the end of a job counts as wrong. */
  private static final int STOCK_TRIES = 5;

  /** The next job of a kind finds warm JVMs. */
  private static final int WARM_UPS = 1;

  private static final String SERVICE = "yarn.nodemanager.aux-services.hottub.";

  private static final int COUNT = Integer.getInteger("hottub.faults.count", 40);
  private static final long SEED = Long.getLong("hottub.faults.seed", 1);
  private static final String ONLY = System.getProperty("hottub.faults.only", "");

  /** So many of them are done to jobs. */
  private static final int ON_JOBS = Integer.getInteger("hottub.faults.jobs", COUNT * 3 / 4);

  /** Then no more are begun. */
  private static final int MINUTES = Integer.getInteger("hottub.faults.minutes", 600);

  private static final Path REPORT =
      Path.of(System.getProperty("hottub.faults.report", "target/faults.md"));
  private static final Path STOCK =
      Path.of(System.getProperty("hottub.faults.stock", "target/faults-stock.tsv"));

  /** What a disturbance takes, with what has to be done on stock JVMs. */
  private static final int SMALL_SECONDS = 2;

  private static final int JOB_SECONDS = 14;

  /** Until the daemons run, and the pool has JVMs for the jobs. */
  private static final int START_MINUTES = 4;

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
  private static List<String> plan(Map<String, Integer> shares, int count) {
    List<String> once = new ArrayList<>();
    shares.forEach((kind, share) -> once.addAll(Collections.nCopies(share, kind)));
    once.removeIf(kind -> !kind.contains(ONLY));
    List<String> plan = new ArrayList<>();
    while (plan.size() < count && !once.isEmpty()) {
      plan.addAll(once);
    }
    Collections.shuffle(plan, new Random(SEED));
    return plan.subList(0, Math.min(count, plan.size()));
  }

  @Test
  void everyJobEndsAsOnAStockJvm() throws Exception {
    int small = COUNT - ON_JOBS;
    System.out.printf(
        "%d injections into small runs and %d into jobs: about %d minutes, and less where it is"
            + " known what stock JVMs do%n",
        small, ON_JOBS, (small * SMALL_SECONDS + ON_JOBS * JOB_SECONDS) / 60 + START_MINUTES);
    FaultReport report = new FaultReport(SEED, COUNT);
    try {
      if (small > 0) {
        disturbSmallRuns(report, small);
      }
      if (ON_JOBS > 0) {
        disturbJobs(report);
      }
      report.finished();
    } finally {
      report.write(REPORT);
    }
    assertEquals(List.of(), report.wrong());
  }

  private static void disturbSmallRuns(FaultReport report, int count) throws Exception {
    Pool pool = new Pool();
    YarnNode node = node(pool);
    try {
      node.startResourceManager();
      WaitingRuns runs = new WaitingRuns(pool, node.client());
      try (ZooKeeperFaults clusterFaults = new ZooKeeperFaults(node, runs)) {
        disturb(pool, node, runs, clusterFaults, report, count);
      }
    } finally {
      pool.retireAll();
      node.close();
      pool.close();
    }
  }

  private static void disturb(
      Pool pool,
      YarnNode node,
      WaitingRuns runs,
      ZooKeeperFaults clusterFaults,
      FaultReport report,
      int count)
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
    nodeFaults.kinds().keySet().forEach(kind -> report.family(kind, FaultReport.CONTAINERS));
    clusterFaults.kinds().keySet().forEach(kind -> report.family(kind, FaultReport.ZOOKEEPER));
    Random seeds = new Random(SEED);
    for (String kind : plan(shares, count)) {
      report.add(one(report.next(), kind, kinds.get(kind), new Random(seeds.nextLong()), jobs));
    }
    report.left(processesLeft(jobs, IDLE_SECONDS));
  }

  private static void disturbJobs(FaultReport report) throws Exception {
    Path folder = REPORT.toAbsolutePath().getParent();
    try (JobCluster cluster = new JobCluster()) {
      StockEnds stock = new StockEnds(STOCK);
      DisturbedJobs disturbed = new DisturbedJobs(cluster, folder);
      JobFaults faults = new JobFaults(cluster, disturbed, stock, STOCK_TRIES);
      FaultJobs jobs = new FaultJobs(cluster.pool());
      faults.families().forEach(report::family);
      faults.warmUp(WARM_UPS);
      Random seeds = new Random(SEED);
      for (String kind : plan(faults.shares(), ON_JOBS)) {
        if (report.minutes() >= MINUTES) {
          break;
        }
        Fault fault = faults.kinds().get(kind);
        report.add(one(report.next(), kind, fault, new Random(seeds.nextLong()), jobs));
      }
      report.stock(stock, faults.stockRuns());
      // Templates would stay for as long as clones are warm between two jobs of a kind.
      jobs.retireAll();
      report.left(processesLeft(jobs, 0));
    }
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
      e.printStackTrace();
      jobs.retireAll();
    }
    return new Entry(number, kind, injection, ms, wrong);
  }

  /** After their time nothing is to be left, without anybody asking for it. */
  private static List<Long> processesLeft(FaultJobs jobs, int idleSeconds) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(idleSeconds + 20).toNanos();
    while (!jobs.processes().isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(200);
    }
    return jobs.processes();
  }
}
