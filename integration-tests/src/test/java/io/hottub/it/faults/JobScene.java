// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Run;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A running job, one container of which is the victim, in the moment when it is disturbed.
 *
 * @param container name of the victim
 * @param pooled whether it is to run in the pool, or on stock JVMs
 * @param random all choices come from it
 */
record JobScene(
    JobCluster cluster,
    NodeContainers containers,
    RealJob job,
    String container,
    boolean pooled,
    Random random) {
  private static final Duration THERE = Duration.ofSeconds(2);
  private static final Duration LONGEST_END = Duration.ofMinutes(1);
  private static final int LONGEST_STOP_MS = 3_000;

  /** Which process of those that serve a container. */
  enum Part {
    /** The session's leader. */
    SHELL,
    /** HotTub's client, or the stock JVM. */
    JAVA,
    /** The pooled JVM behind the client, or the stock JVM. */
    JVM,
    /** That of the pooled JVM. */
    KEEPER,
    /** What clones are made of. */
    TEMPLATE,
    KEEPER_OF_TEMPLATE,
    /** What has submitted the job. */
    DRIVER
  }

  /** Sends a signal; false if there is no such process. */
  boolean signal(Part part, String name) throws Exception {
    Optional<Long> pid = find(part);
    return pid.isPresent() && kill(name, pid.get());
  }

  /** Stops a process for some time; false if there is no such process. */
  boolean stop(Part part) throws Exception {
    Optional<Long> pid = find(part);
    if (pid.isEmpty() || !kill("STOP", pid.get())) {
      return false;
    }
    job.letGo();
    TimeUnit.MILLISECONDS.sleep(someTime());
    kill("CONT", pid.get());
    return true;
  }

  /**
   * Waits until the victim has ended, who was sent a signal by way of YARN's daemons: they take
   * some time, in which the job is not to go on.
   */
  void awaitVictimsEnd() throws InterruptedException {
    Await.until(
        container + " ends", LONGEST_END, () -> !containers.shells().containsKey(container));
  }

  /** In milliseconds. */
  int someTime() {
    return 200 + random.nextInt(LONGEST_STOP_MS);
  }

  private static boolean kill(String name, long pid) throws Exception {
    return !Run.hasEnded(pid)
        && new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0;
  }

  private Optional<Long> find(Part part) throws Exception {
    return switch (part) {
      case SHELL -> Optional.ofNullable(containers.shells().get(container));
      case JAVA -> containers.java(container).map(ProcessHandle::pid);
      case JVM -> pooled ? lease().map(KeeperState::jvmPid) : find(Part.JAVA);
      case KEEPER -> lease().map(KeeperState::keeperPid);
      case TEMPLATE -> template().map(KeeperState::jvmPid);
      case KEEPER_OF_TEMPLATE -> template().map(KeeperState::keeperPid);
      case DRIVER -> Optional.of(job.client().process().pid());
    };
  }

  /** What serves the container; it may be there a moment later than its client. */
  private Optional<KeeperState> lease() throws InterruptedException {
    try {
      return Await.value(
          "a lease of " + container,
          THERE,
          this::leaseNow,
          lease -> lease.isPresent() || containers.java(container).isEmpty());
    } catch (AssertionError e) {
      return Optional.empty(); // It runs cold.
    }
  }

  /** What serves the container, if the pool does. */
  Optional<KeeperState> leaseNow() throws IOException {
    return cluster.pool().states().stream()
        .filter(state -> container.equals(state.containerId()) && state.jvmPid() != null)
        .findFirst();
  }

  private Optional<KeeperState> template() throws IOException, InterruptedException {
    String fingerprint = lease().map(KeeperState::fingerprint).orElse("");
    List<KeeperState> states = cluster.pool().states();
    return states.stream()
        .filter(state -> state.state() == JvmState.TEMPLATE)
        .filter(state -> Objects.equals(state.fingerprint(), fingerprint))
        .findFirst();
  }
}
