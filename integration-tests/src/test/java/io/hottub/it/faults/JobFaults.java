// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.faults.DisturbedJobs.Seen;
import io.hottub.it.faults.JobFault.Moment;
import io.hottub.it.faults.RealJobs.Engine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Disturbances of real jobs. A job in the pool has to end as the same job has ended on stock JVMs
 * to which the same, or the nearest, was done in the same moment. Those are run when they are asked
 * for: once, and some times more before another end counts as wrong.
 */
final class JobFaults {
  private static final String CLONE = "clone";
  private static final String REUSE = "reuse";

  private final JobCluster cluster;
  private final DisturbedJobs jobs;
  private final StockEnds stock;
  private final int tries;
  private final JobFault nothing = JobFaultKinds.undisturbed();
  private final Map<String, JobFault> faults = JobFaultKinds.all();
  private int stockRuns;

  /**
   * @param stock ends on stock JVMs that were seen before
   * @param tries what they do not show in so many further runs is none of theirs
   */
  JobFaults(JobCluster cluster, DisturbedJobs jobs, StockEnds stock, int tries) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.stock = stock;
    this.tries = tries;
    faults.put(nothing.name(), nothing);
  }

  /** All kinds, with how often each is to happen in relation to the others. */
  Map<String, Integer> shares() {
    Map<String, Integer> shares = new LinkedHashMap<>();
    faults.forEach((name, fault) -> shares.put(name, fault.share()));
    return shares;
  }

  Map<String, Fault> kinds() {
    Map<String, Fault> kinds = new LinkedHashMap<>();
    faults.forEach((name, fault) -> kinds.put(name, random -> inject(fault, random)));
    return kinds;
  }

  /** With what each kind is counted. */
  Map<String, String> families() {
    Map<String, String> families = new LinkedHashMap<>();
    faults.forEach((name, fault) -> families.put(name, fault.family()));
    return families;
  }

  /** How many disturbed jobs were run on stock JVMs. */
  int stockRuns() {
    return stockRuns;
  }

  /** Runs jobs to which nothing happens, so that the pool has JVMs for them. */
  void warmUp(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      for (Engine engine : Engine.values()) {
        for (String isolation : List.of(CLONE, REUSE)) {
          compared(nothing, engine, Moment.AT_WORK, isolation, new Random(i));
        }
      }
    }
  }

  private Fault.Injection inject(JobFault fault, Random random) throws Exception {
    Engine engine = fault.engines().get(random.nextInt(fault.engines().size()));
    Moment moment = fault.moments().get(random.nextInt(fault.moments().size()));
    // Clones are the default of containers.
    String isolation = random.nextInt(3) == 0 ? REUSE : CLONE;
    return compared(fault, engine, moment, isolation, random);
  }

  /** Does it to a job in the pool, which has to end as on stock JVMs. */
  Fault.Injection compared(
      JobFault fault, Engine engine, Moment moment, String isolation, Random random)
      throws Exception {
    Seen seen = jobs.run(fault, engine, moment, Optional.of(isolation), random);
    if (!seen.reached() || !hasEndedByItself(fault, engine, seen.end())) {
      assertAsOnStock(fault, engine, moment, seen);
    }
    assertTrue(cluster.node().nodeManager().isAlive(), "the NodeManager runs");
    String detail = "%s, %s, %s: %s".formatted(engine, moment, isolation, seen.how());
    return new Fault.Injection(detail, seen.reached(), seen.end().toString());
  }

  /**
   * Whether its victim was over by itself when it was hit, or ran on without what was hit, and
   * nobody else has noticed.
   */
  private boolean hasEndedByItself(JobFault fault, Engine engine, JobEnd end) throws Exception {
    return fault.isFatal()
        && end.victim().equals(JobEnd.BY_ITSELF)
        && isSeen(nothing, engine, Moment.AT_WORK, end.withoutVictim());
  }

  private void assertAsOnStock(JobFault fault, Engine engine, Moment moment, Seen seen)
      throws Exception {
    JobFault like = seen.reached() ? faults.get(fault.like()) : nothing;
    Moment when = like.moments().contains(moment) ? moment : Moment.AT_WORK;
    if (!isSeen(like, engine, when, seen.end())) {
      jobs.keepLogs(seen);
      String key = StockEnds.key(engine, like.name(), when);
      throw new AssertionError(
          "%s, but on stock JVMs (%s): %s; %s"
              .formatted(seen.end(), key, stock.of(key), seen.how()));
    }
  }

  /** Whether a stock job ends so; until one does, they are run. */
  private boolean isSeen(JobFault fault, Engine engine, Moment moment, JobEnd end)
      throws Exception {
    String key = StockEnds.key(engine, fault.name(), moment);
    for (int runs = 0; runs < tries && !stock.of(key).containsKey(end.toString()); runs++) {
      stockRuns++;
      Seen seen = jobs.run(fault, engine, moment, Optional.empty(), new Random(stockRuns));
      System.out.println("stock\t" + key + "\t" + seen.how() + "\t" + seen.end());
      if (seen.reached()) {
        stock.add(key, seen.end().toString());
      }
    }
    return stock.of(key).containsKey(end.toString());
  }
}
