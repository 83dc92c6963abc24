// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.faults.JobFault.Moment;
import io.hottub.it.faults.RealJobs.Engine;
import io.hottub.it.harness.Await;
import io.hottub.it.harness.ServedRuns;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** Jobs of a cluster, each of which is disturbed on its way, and what becomes of them. */
final class DisturbedJobs {
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private static final Set<YarnApplicationState> ENDED =
      Set.of(
          YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);

  /** A victim is disturbed within the time in which its java comes to work, in ms. */
  private static final int STARTING_STOCK_MS = 1_200;

  private static final int STARTING_POOLED_MS = 150;
  private static final int ENDING_MS = 400;

  private final JobCluster cluster;
  private final RealJobs jobs;
  private final NodeContainers containers;
  private final Path kept;
  private final Map<Engine, String> results = new EnumMap<>(Engine.class);
  private int failures;

  /**
   * @param kept a folder for the logs of jobs that were wrong
   */
  DisturbedJobs(JobCluster cluster, Path kept) throws Exception {
    this.cluster = cluster;
    this.kept = kept;
    jobs = new RealJobs(cluster);
    containers =
        new NodeContainers(cluster.local(), cluster.node().dir().resolve("NodeManager.log"));
  }

  /**
   * What was done to a job, and what has become of it.
   *
   * @param reached whether it was done; the victim may have been over before
   * @param how it was served, and how long it took
   * @param logged so much the NodeManager had logged before
   */
  record Seen(RealJob job, JobEnd end, boolean reached, String how, long logged) {}

  /**
   * Runs a job to its end, and does something to it on the way.
   *
   * @param isolation of its runs in the pool; empty: on stock JVMs
   */
  Seen run(JobFault fault, Engine engine, Moment moment, Optional<String> isolation, Random random)
      throws Exception {
    long start = System.nanoTime();
    long logged = containers.logged();
    int journalled = ServedRuns.journalled(cluster.pool());
    if (!results.containsKey(engine)) {
      results.put(engine, undisturbedResult(engine));
    }
    RealJob job = jobs.start(engine, isolation.isPresent(), isolation.orElse(""));
    try {
      String container = await(job, fault.master(), moment, isolation.isPresent(), random);
      JobScene scene =
          new JobScene(cluster, containers, job, container, isolation.isPresent(), random);
      Optional<KeeperState> lease = scene.leaseNow();
      boolean reached = fault.act().disturb(scene);
      job.letGo();
      // What serves the pool has no part in a run that has not begun.
      boolean mayEndByItself =
          moment == Moment.ENDING || (isolation.isPresent() && fault.isOfPool() && lease.isEmpty());
      String victim = fault.isFatal() && reached ? container : "";
      JobEnd end = end(job, victim, mayEndByItself, logged);
      List<String> served = ServedRuns.since(cluster.pool(), journalled);
      long warm = served.stream().filter(run -> run.endsWith(" warm")).count();
      long ms = (System.nanoTime() - start) / 1_000_000;
      String how =
          "%s, %d of %d runs warm, %d ms"
              .formatted(server(lease, isolation.isPresent()), warm, served.size(), ms);
      return new Seen(job, end, reached, how, logged);
    } catch (AssertionError | Exception e) {
      keepLogs(job, logged);
      throw e;
    } finally {
      endByForce(job);
    }
  }

  private String undisturbedResult(Engine engine) throws Exception {
    RealJob job = jobs.start(engine, false, "");
    try {
      job.awaitAtWork();
      job.letGo();
      assertEquals(0, job.client().end(), () -> logOf(job));
      awaitOver(job);
      return job.result();
    } finally {
      endByForce(job);
    }
  }

  private static String logOf(RealJob job) {
    try {
      return job.client().log();
    } catch (IOException e) {
      return e.toString();
    }
  }

  // ---- the moment

  /** Waits for the moment, and chooses a victim; empty if there is none any more. */
  private String await(RealJob job, boolean master, Moment moment, boolean pooled, Random random)
      throws Exception {
    if (moment == Moment.STARTING) {
      awaitVictim(job, master);
      Thread.sleep(random.nextInt(pooled ? STARTING_POOLED_MS : STARTING_STOCK_MS));
    } else {
      job.awaitAtWork();
      if (moment == Moment.ENDING) {
        job.letGo();
        Thread.sleep(random.nextInt(ENDING_MS));
        awaitVictim(job, master);
      }
    }
    List<String> there = victims(master);
    return there.isEmpty() ? "" : there.get(random.nextInt(there.size()));
  }

  /** Until there is one, or the job is over. */
  private void awaitVictim(RealJob job, boolean master) throws InterruptedException {
    Await.until(
        "a container of " + job.engine() + " has its java",
        LONGEST,
        () -> !victims(master).isEmpty() || !job.client().process().isAlive());
  }

  private List<String> victims(boolean master) {
    return containers.shells().keySet().stream()
        .filter(name -> NodeContainers.isMaster(name) == master)
        .filter(name -> containers.java(name).isPresent())
        .toList();
  }

  /** What serves the victim. */
  private static String server(Optional<KeeperState> lease, boolean pooled) {
    return lease
        .map(state -> "run " + state.run() + " of JVM " + state.jvmPid())
        .orElse(pooled ? "no lease yet" : "stock");
  }

  // ---- the end

  private JobEnd end(RealJob job, String victim, boolean mayEndByItself, long logged)
      throws Exception {
    int status = job.client().end();
    ApplicationReport report = awaitOver(job);
    String result = job.result();
    String judged =
        result.equals(RealJob.NO_RESULT)
            ? RealJob.NO_RESULT
            : result.equals(results.get(job.engine())) ? "right" : "WRONG: " + result;
    String victimsEnd =
        victim.isEmpty() ? "" : JobEnd.victim(containers.awaitEnd(victim, logged), mayEndByItself);
    return JobEnd.of(report, status, judged, victimsEnd);
  }

  /** Waits until YARN, the node and the pool have done with a job, and nothing of it is left. */
  private ApplicationReport awaitOver(RealJob job) throws Exception {
    YarnClient yarn = cluster.node().client();
    ApplicationId id = ApplicationId.fromString(job.client().id());
    // Its final status says nothing: a master of Spark that is told to end leaves it undefined.
    Await.until(
        id + " has ended",
        LONGEST,
        () -> ENDED.contains(yarn.getApplicationReport(id).getYarnApplicationState()));
    Await.until(
        "no process of " + id + " is left",
        LONGEST,
        () -> NodeContainers.processes(id.toString()).isEmpty());
    Await.until(
        "no JVM is leased",
        LONGEST,
        () ->
            cluster.pool().states().stream().noneMatch(state -> state.state() == JvmState.LEASED));
    return yarn.getApplicationReport(id);
  }

  /** What still runs of a job that has not ended as it should. */
  private void endByForce(RealJob job) throws Exception {
    job.letGo();
    job.client().kill();
    String id;
    try {
      id = job.client().id();
    } catch (IOException | AssertionError e) {
      return; // It came to none.
    }
    cluster.node().client().killApplication(ApplicationId.fromString(id));
    Await.until(
        "no process of " + id + " is left", LONGEST, () -> NodeContainers.processes(id).isEmpty());
  }

  // ---- logs

  /** Keeps what there is about a job that has not ended as it should. */
  void keepLogs(Seen seen) throws IOException {
    keepLogs(seen.job(), seen.logged());
  }

  /** Copies what a job and the NodeManager have written to a folder of its own. */
  private void keepLogs(RealJob job, long logged) throws IOException {
    failures++;
    Path folder = Files.createDirectories(kept.resolve("wrong-" + failures));
    Files.writeString(folder.resolve("client.log"), logOf(job));
    Files.writeString(folder.resolve("NodeManager.log"), containers.loggedSince(logged));
    Files.writeString(folder.resolve("pool.log"), cluster.pool().logs());
    Path logs = cluster.node().dir().resolve("logs");
    try (Stream<Path> files = Files.walk(logs)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = logs.relativize(file).toString();
        if (logOf(job).contains(name.replaceFirst("/.*", ""))) {
          Path copy = folder.resolve(name);
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy);
        }
      }
    }
  }
}
