// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.it.campaign.CloneRuns.Result;
import io.hottub.it.campaign.CloneRuns.Seen;
import io.hottub.it.campaign.CloneRuns.Started;
import io.hottub.it.campaign.CloneVictim.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Kills processes while programs run, one after the other, in clones or in the JVM that is to
 * become their template. A run may end by SIGKILL if its own JVM, keeper or client was killed;
 * nothing else may become of any run. After each kill small programs run until there is a template
 * with a clone.
 */
final class CloneKills {
  /** What a user notices, and what is wrong on any machine. */
  static final long SERVING_MS = 2_000;

  static final long LONGEST_SERVING_MS = 10_000;
  private static final long LONGEST_RECOVERY_MS = 60_000;

  /** No reset takes longer; without a pause each run would find the JVM of the last one busy. */
  private static final long PAUSE_MS = 100;

  /** A JVM mostly starts, serves its run and is reset in that time. */
  private static final long STARTING_NS = 400_000_000;

  /** About so many small runs make a JVM a template. */
  private static final int TRAINING_RUNS = 4;

  /** So often at most a run has ended before its moment, or there is nothing to kill. */
  private static final int TRIES = 100;

  /** What the kills of one victim have led to. */
  static final class Tally {
    int kills;

    /** Runs that were as on the stock JDK, before and after kills, too. */
    int complete;

    /** Runs that ended by them. */
    int killed;

    int wrong;
    final Map<String, Integer> cold = new TreeMap<>();

    /** Milliseconds from the kill until main of the next warm run was entered. */
    final List<Long> served = new ArrayList<>();

    /** The longest time without that until the pool was as before, in milliseconds. */
    final List<Long> without = new ArrayList<>();
  }

  private final CloneRuns runs;
  private final ClonePool pool;
  private final CloneFindings findings;
  private final Random random;
  private final List<CloneVictim> plan = new ArrayList<>();
  private final Map<CloneVictim, Tally> tallies = new EnumMap<>(CloneVictim.class);
  private final Map<List<String>, Long> typicalNs = new HashMap<>();

  /**
   * @param count of kills in all, of each victim as many, in an order that the seed decides
   */
  CloneKills(CloneRuns runs, ClonePool pool, CloneFindings findings, long seed, int count) {
    this.runs = runs;
    this.pool = pool;
    this.findings = findings;
    random = new Random(seed);
    for (CloneVictim victim : CloneVictim.values()) {
      tallies.put(victim, new Tally());
    }
    for (int i = 0; i < count; i++) {
      plan.add(CloneVictim.values()[i % tallies.size()]);
    }
    Collections.shuffle(plan, random);
  }

  Map<CloneVictim, Tally> tallies() {
    return tallies;
  }

  /** The next ones of the plan, with a pool that has been trained for this kind of JVM. */
  void kill(String option, Map<List<String>, Result> expected, int count) throws Exception {
    for (CloneVictim victim : plan.subList(0, count)) {
      int tries = 1;
      while (!kill(victim, option, expected)) {
        if (tries++ == TRIES) {
          throw new IOException("there is nothing to kill: " + victim);
        }
      }
    }
    plan.subList(0, count).clear();
  }

  /** One run, and a kill at some moment of it; whether it came to that. */
  private boolean kill(CloneVictim victim, String option, Map<List<String>, Result> expected)
      throws Exception {
    Result small = expected.get(CloneRuns.SMALL);
    if (victim.isNew()) {
      pool.killAll();
      for (int i = random.nextInt(TRAINING_RUNS); i > 0; i--) {
        runSmall(victim, option, small);
      }
    }
    List<String> program = runs.anyEqual(random);
    Result whole = expected.get(program);
    Started run = runs.start(option, program);
    awaitSomeMoment(run, victim);
    Optional<Target> target = victim.find(pool, run);
    long at = System.nanoTime();
    boolean done = target.isPresent() && target.get().kill();
    Seen seen = runs.await(run);
    judge(victim, seen, whole, done && target.get().mayEnd(seen.trace()));
    if (done) {
      tallies.get(victim).kills++;
      recover(victim, option, small, at);
      if (!ClonePool.await(ClonePool.LONGEST_END_MS, () -> isOver(run, seen, target.get()))) {
        wrong(victim, "something lives on", seen, whole);
      }
    }
    runs.delete(run);
    return done;
  }

  /** In the time that the run mostly takes, or in which its JVM starts. */
  private void awaitSomeMoment(Started run, CloneVictim victim) throws InterruptedException {
    long range = victim.isNew() ? STARTING_NS : typicalNs(run.program());
    long moment = (long) (random.nextDouble() * range);
    TimeUnit.NANOSECONDS.sleep(run.beganNs() + moment - System.nanoTime());
  }

  private long typicalNs(List<String> program) {
    return typicalNs.getOrDefault(program, TimeUnit.MILLISECONDS.toNanos(100));
  }

  private void judge(CloneVictim victim, Seen seen, Result whole, boolean mayEnd)
      throws IOException {
    Tally tally = tallies.get(victim);
    if (seen.result().equals(whole)) {
      tally.complete++;
      if (seen.trace().inClone()) {
        long tookNs = seen.endedNs() - seen.beganNs();
        typicalNs.put(seen.program(), (typicalNs(seen.program()) * 7 + tookNs) / 8);
      }
    } else if (mayEnd && seen.result().isKilled(whole)) {
      tally.killed++;
    } else {
      wrong(victim, "another result", seen, whole);
    }
    if (seen.trace().line().lines().count() > 1) {
      wrong(victim, "it has run twice", seen, whole);
    }
  }

  private Seen runSmall(CloneVictim victim, String option, Result whole) throws Exception {
    Seen seen = runs.run(option, CloneRuns.SMALL);
    judge(victim, seen, whole, false);
    ClonePool.await(PAUSE_MS, pool::isIdle);
    return seen;
  }

  private void wrong(CloneVictim victim, String what, Seen seen, Result whole) throws IOException {
    tallies.get(victim).wrong++;
    findings.add(what + ", kill of " + victim.name(), seen, whole);
  }

  /** A keeper and its JVM end together, and the clone of a run with it. */
  private boolean isOver(Started run, Seen seen, Target target) throws IOException {
    long clone = seen.trace().inClone() ? seen.trace().jvm() : 0;
    return LongStream.of(target.keeper(), target.jvm(), clone).noneMatch(pool::lives)
        && pool.states().stream().noneMatch(s -> CloneVictim.isOf(run, s));
  }

  /** Small runs, all of which have to be right, until the pool is as before. */
  private void recover(CloneVictim victim, String option, Result small, long killedNs)
      throws Exception {
    Tally tally = tallies.get(victim);
    long last = killedNs;
    long servedMs = -1;
    long withoutMs = 0;
    Seen probe;
    do {
      probe = runSmall(victim, option, small);
      if (probe.trace().isWarm()) {
        withoutMs = Math.max(withoutMs, ms(probe.enteredNs() - last));
        servedMs = servedMs < 0 ? withoutMs : servedMs;
        last = probe.enteredNs();
      } else if (!probe.trace().fromPool()) {
        tally.cold.merge(probe.trace().reason(), 1, Integer::sum);
      }
    } while (!pool.isReady() && ms(System.nanoTime() - killedNs) < LONGEST_RECOVERY_MS);
    if (!pool.isReady()) {
      wrong(victim, "no template with a clone again", probe, small);
    } else if (servedMs > LONGEST_SERVING_MS) {
      wrong(victim, "served after " + servedMs + " ms", probe, small);
    }
    if (servedMs >= 0) {
      tally.served.add(servedMs);
      tally.without.add(withoutMs);
    }
  }

  private static long ms(long ns) {
    return TimeUnit.NANOSECONDS.toMillis(ns);
  }
}
