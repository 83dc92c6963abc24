// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import io.hottub.yarn.pool.PolicyLimits;
import io.hottub.yarn.pool.PoolPolicy;
import io.hottub.yarn.pool.PoolView;
import io.hottub.yarn.pool.PooledJvm;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Decides which recipe runs next. Knows of fingerprints what the runs have told. */
public final class RecipeSchedule {
  /** After this many failures in a row, each with twice the pause, a recipe is given up. */
  static final int MAX_FAILURES = 5;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);

  /** Bounds what it costs when JVMs of a recipe end as fast as they are made. */
  private static final Duration BETWEEN_NEW_JVMS = Duration.ofSeconds(10);

  /**
   * Updates of the machine, and of jars where they lie, make another fingerprint of the same
   * recipe. A run of it, by a JVM that is warm where nothing has changed, shows which it is.
   */
  static final Duration BETWEEN_LOOKS = Duration.ofHours(1);

  private final List<Progress> all;
  private final PolicyLimits limits;
  private final Predicate<String> isDrained;
  private final LongSupplier nanoTime;
  private final Map<String, Integer> minIdle = new ConcurrentHashMap<>();

  /** A recipe, and how far it is. */
  private static final class Progress {
    final Recipe recipe;
    String fingerprint;
    long lookedAt;
    long jvmBytes;
    int failures;
    long notBefore;
    long noNewBefore;

    Progress(Recipe recipe, long now) {
      this.recipe = recipe;
      notBefore = now;
      noNewBefore = now;
    }
  }

  /**
   * A run that is due.
   *
   * @param newJvm beside the JVMs that are idle
   */
  record Job(Recipe recipe, boolean newJvm) {}

  /**
   * @param isDrained of fingerprints
   * @param nanoTime as {@link System#nanoTime}
   */
  public RecipeSchedule(
      List<Recipe> recipes,
      PolicyLimits limits,
      Predicate<String> isDrained,
      LongSupplier nanoTime) {
    long now = nanoTime.getAsLong();
    all = recipes.stream().map(recipe -> new Progress(recipe, now)).toList();
    this.limits = limits;
    this.isDrained = isDrained;
    this.nanoTime = nanoTime;
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** How many idle JVMs of a fingerprint recipes keep; for any thread. */
  public int minIdle(String fingerprint) {
    return minIdle.getOrDefault(fingerprint, 0);
  }

  /** Returns the first run that is due. */
  Optional<Job> next(PoolView view, PoolPolicy.Room room) {
    long now = nanoTime.getAsLong();
    for (Progress progress : all) {
      if (progress.failures < MAX_FAILURES && now - progress.notBefore >= 0) {
        Optional<Job> job = next(progress, view, room, now);
        if (job.isPresent()) {
          return job;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Job> next(Progress progress, PoolView view, PoolPolicy.Room room, long now) {
    Recipe recipe = progress.recipe;
    if (progress.fingerprint == null || now - progress.lookedAt >= BETWEEN_LOOKS.toNanos()) {
      // It may be that JVMs are left from before; the first run shows which they are.
      return job(hasRoom(progress, view, room), recipe, false);
    }
    if (isDrained.test(progress.fingerprint)) {
      return Optional.empty();
    }
    List<KeeperState> ours =
        view.jvms().stream()
            .filter(jvm -> jvm.socket().fingerprintPrefix().equals(progress.fingerprint))
            .map(PooledJvm::state)
            .toList();
    for (KeeperState jvm : ours) {
      progress.jvmBytes = jvm.rssKb() == null ? progress.jvmBytes : jvm.rssKb() << 10;
    }
    if (view.hasTemplate(progress.fingerprint)) {
      // It is trained, and there is a clone for whoever comes: another JVM could only retire.
      return Optional.empty();
    }
    // It is the one that the next run gets.
    Optional<KeeperState> usedLast =
        ours.stream()
            .filter(jvm -> jvm.state() == JvmState.IDLE)
            .min(Comparator.comparing(jvm -> Objects.requireNonNullElse(jvm.idleMs(), 0L)));
    if (usedLast.isPresent()
        && Objects.requireNonNullElse(usedLast.get().run(), 0L) < recipe.runs()) {
      return job(true, recipe, false);
    }
    long idle =
        ours.stream()
            .filter(jvm -> jvm.state() == JvmState.IDLE || jvm.state() == JvmState.RESETTING)
            .count();
    boolean wanted = idle < recipe.minIdle() && now - progress.noNewBefore >= 0;
    return job(wanted && hasRoom(progress, view, room), recipe, true);
  }

  private static Optional<Job> job(boolean due, Recipe recipe, boolean newJvm) {
    return due ? Optional.of(new Job(recipe, newJvm)) : Optional.empty();
  }

  /** Otherwise the run would be cold, or the JVM be retired as soon as it is idle. */
  private boolean hasRoom(Progress progress, PoolView view, PoolPolicy.Room room) {
    List<PooledJvm> jvms = view.jvms();
    long sameKind =
        jvms.stream()
            .filter(jvm -> jvm.socket().fingerprintPrefix().equals(progress.fingerprint))
            .count();
    long ofTenant =
        jvms.stream()
            .map(jvm -> Objects.requireNonNullElse(jvm.state().tenant(), ""))
            .filter(progress.recipe.user()::equals)
            .count();
    long heldBytes = view.heldBytes() + progress.jvmBytes;
    return jvms.size() < limits.shared().maxJvms()
        && sameKind < limits.shared().maxJvmsPerFingerprint()
        && ofTenant < limits.maxJvmsPerTenant()
        && heldBytes <= Math.min(limits.idleBytes(), room.idleBytes());
  }

  private void noteMinIdle() {
    Map<String, Integer> wanted =
        all.stream()
            .filter(progress -> progress.fingerprint != null)
            .collect(
                Collectors.toMap(
                    progress -> progress.fingerprint,
                    progress -> progress.recipe.minIdle(),
                    Math::max));
    minIdle.putAll(wanted);
    minIdle.keySet().retainAll(wanted.keySet());
  }

  /**
   * Takes over what became of a run.
   *
   * @return whether the recipe has been given up with it
   */
  boolean ended(Job job, RecipeRun.Outcome outcome) {
    long now = nanoTime.getAsLong();
    Progress progress =
        all.stream().filter(one -> one.recipe.equals(job.recipe())).findFirst().orElseThrow();
    progress.lookedAt = now;
    if (outcome.trace() != null && outcome.trace().fingerprint() != null) {
      progress.fingerprint = outcome.trace().fingerprint();
      noteMinIdle();
    }
    if (job.newJvm()) {
      progress.noNewBefore = now + BETWEEN_NEW_JVMS.toNanos();
    }
    if (outcome.failure() != null) {
      progress.notBefore = now + FIRST_PAUSE.multipliedBy(1L << progress.failures).toNanos();
      progress.failures++;
    } else if (outcome.revoked() == null) {
      progress.failures = 0;
    }
    return progress.failures == MAX_FAILURES;
  }
}
