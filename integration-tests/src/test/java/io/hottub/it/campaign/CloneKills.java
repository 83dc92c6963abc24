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
  private static final long STARTING_MS = 400;

  /** About so many small runs make a JVM a template. */
  private static final int TRAINING_RUNS = 4;

  /** So often at most a run has ended before its moment, or there is nothing to kill. */
  private static final int TRIES = 100;

  /** What the kills of one victim have led to. */
  static final class Tally {
    int kills;
    int complete;
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

  /** One run, and a kill at some moment of the time that it mostly takes; whether it came to it. */
  private boolean kill(CloneVictim victim, String option, Map<List<String>, Result> expected)
      throws Exception {
    if (victim.isNew()) {
      beginAnew(option, random.nextInt(TRAINING_RUNS));
    }
    List<String> program = runs.anyEqual(random);
    long typical = typicalNs.getOrDefault(program, TimeUnit.MILLISECONDS.toNanos(100));
    long range = victim.isNew() ? TimeUnit.MILLISECONDS.toNanos(STARTING_MS) : typical;
    long moment = (long) (random.nextDouble() * range);
    Started run = runs.start(option, program);
    TimeUnit.NANOSECONDS.sleep(run.beganNs() + moment - System.nanoTime());
    Optional<Target> target = victim.find(pool, run);
    long at = System.nanoTime();
    boolean done = target.isPresent() && target.get().kill();
    Seen seen = runs.await(run);
    Tally tally = tallies.get(victim);
    Result whole = expected.get(program);
    if (seen.result().equals(whole)) {
      typicalNs.put(program, (typical * 7 + seen.endedNs() - seen.beganNs()) / 8);
    }
    boolean mayEnd = done && target.get().mayEnd(seen.trace());
    String what = (done ? "killed: " : "not killed: ") + victim.name();
    if (!isRight(seen, whole, mayEnd)) {
      wrong(tally, "another result, " + what, seen, whole);
    }
    if (done) {
      tally.kills++;
      tally.complete += seen.result().equals(whole) ? 1 : 0;
      tally.killed += mayEnd && seen.result().isKilled(whole) ? 1 : 0;
      recover(tally, option, expected.get(CloneRuns.SMALL), at);
      if (!ClonePool.await(ClonePool.LONGEST_END_MS, () -> isOver(run, seen, target.get()))) {
        wrong(tally, "something lives on, " + what, seen, whole);
      }
    }
    runs.delete(run);
    return done;
  }

  /** A pool in which there is only the JVM of so many runs. */
  private void beginAnew(String option, int count) throws Exception {
    pool.killAll();
    for (int i = 0; i < count; i++) {
      runs.run(option, CloneRuns.SMALL);
      ClonePool.await(PAUSE_MS, pool::isIdle);
    }
  }

  private static boolean isRight(Seen seen, Result whole, boolean mayEnd) {
    // A second line is that of a second run.
    return seen.trace().line().lines().count() <= 1
        && (seen.result().equals(whole) || (mayEnd && seen.result().isKilled(whole)));
  }

  private void wrong(Tally tally, String what, Seen seen, Result whole) throws IOException {
    tally.wrong++;
    findings.add(what, seen, whole);
  }

  /** A keeper and its JVM end together, and the clone of a run with it. */
  private boolean isOver(Started run, Seen seen, Target target) throws IOException {
    long clone = seen.trace().inClone() ? seen.trace().jvm() : 0;
    return LongStream.of(target.keeper(), target.jvm(), clone).noneMatch(pool::lives)
        && pool.states().stream().noneMatch(s -> CloneVictim.isOf(run, s));
  }

  /** Small runs, all of which have to be right, until the pool is as before. */
  private void recover(Tally tally, String option, Result small, long killedNs) throws Exception {
    long last = killedNs;
    long servedMs = -1;
    long withoutMs = 0;
    Seen probe;
    do {
      probe = runs.run(option, CloneRuns.SMALL);
      if (!isRight(probe, small, false)) {
        wrong(tally, "another result, after a kill", probe, small);
      } else if (probe.trace().isWarm()) {
        withoutMs = Math.max(withoutMs, ms(probe.enteredNs() - last));
        servedMs = servedMs < 0 ? withoutMs : servedMs;
        last = probe.enteredNs();
      } else if (!probe.trace().fromPool()) {
        tally.cold.merge(probe.trace().reason(), 1, Integer::sum);
      }
      ClonePool.await(PAUSE_MS, pool::isIdle);
    } while (!pool.isReady() && ms(System.nanoTime() - killedNs) < LONGEST_RECOVERY_MS);
    if (!pool.isReady()) {
      wrong(tally, "no template with a clone again", probe, small);
    } else if (servedMs > LONGEST_SERVING_MS) {
      wrong(tally, "served after " + servedMs + " ms", probe, small);
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
