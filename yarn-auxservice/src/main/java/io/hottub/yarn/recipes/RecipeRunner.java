// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.PoolMarks;
import io.hottub.yarn.log.Trouble;
import io.hottub.yarn.pool.PoolPolicy;
import io.hottub.yarn.pool.PoolScanner;
import io.hottub.yarn.pool.PooledJvm;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs recipes while the node is idle, one at a time, in a thread of its own. */
public final class RecipeRunner implements Runnable, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RecipeRunner.class);
  private static final int SIGKILL = 9;
  private static final long STOP_MS = 10_000;

  /** As the keeper allows it. */
  private static final Duration REVOKE = Duration.ofSeconds(3);

  private final RecipeSchedule schedule;
  private final RecipeRun.Place place;
  private final PoolScanner scanner;
  private final JvmReturn back;
  private final PoolMarks marks;
  private final Supplier<PoolPolicy.Room> room;
  private final WarmingTurn turn;
  private final NodeLoad load;
  private final Duration interval;
  private final MetricRegistry registry;
  private final Thread thread = new Thread(this, "hottub-recipes");
  private final Trouble blocked =
      new Trouble(
          LOG,
          "Cannot look after the recipes; trying again at every turn",
          "The recipes are looked after again");

  private LowPriority priority;

  /**
   * @param interval between two looks whether something is to be done
   */
  public RecipeRunner(
      RecipeSchedule schedule,
      RecipeRun.Place place,
      PoolScanner scanner,
      PoolMarks marks,
      Supplier<PoolPolicy.Room> room,
      WarmingTurn turn,
      NodeLoad load,
      Duration interval,
      MetricRegistry registry) {
    this.schedule = schedule;
    this.place = place;
    this.scanner = scanner;
    this.back = new JvmReturn(scanner);
    this.marks = marks;
    this.room = room;
    this.turn = turn;
    this.load = load;
    this.interval = interval;
    this.registry = registry;
    registry.counter("recipes.runs");
    registry.counter("recipes.given_up");
    registry.counter("recipes.spent_ms");
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  @Override
  public void run() {
    try {
      prepare();
      while (true) {
        Thread.sleep((didSomething() ? Duration.ZERO : interval).toMillis());
      }
    } catch (InterruptedException e) {
      LOG.debug("No more recipes: the service stops", e);
      turn.giveBack();
    }
  }

  private void prepare() throws InterruptedException {
    try {
      priority = new LowPriority();
      LOG.info(
          "Recipes run at {} priority",
          priority.isReversible() ? "the lowest" : "normal (no right to raise it again)");
      revokeLeftBehind();
      RunFolder.removeLeftBehind(Path.of(System.getProperty("java.io.tmpdir")));
    } catch (IOException e) {
      failed(e);
    }
  }

  /** Runs of a NodeManager that was killed would have no deadline. */
  private void revokeLeftBehind() throws IOException {
    for (PooledJvm jvm : scanner.scanBusy().jvms()) {
      String id = jvm.state().containerId();
      if (id != null && id.startsWith(RecipeRun.ID_PREFIX)) {
        LOG.info("Revoking a run of {} that the last NodeManager has left", id);
        try (KeeperConnection keeper = KeeperConnection.open(jvm.socket(), PoolScanner.TIMEOUT)) {
          keeper.revoke(SIGKILL, REVOKE);
        }
      }
    }
  }

  private boolean didSomething() throws InterruptedException {
    try {
      Optional<RecipeSchedule.Job> job = due();
      blocked.isOver();
      if (job.isEmpty()) {
        turn.giveBack();
        return false;
      }
      if (!turn.take() || !staysIdle()) {
        return false;
      }
      run(job.get());
      return true;
    } catch (IOException | RuntimeException e) {
      failed(e);
      return false;
    }
  }

  private Optional<RecipeSchedule.Job> due() throws IOException {
    return marks.isDrained() || !isIdle()
        ? Optional.empty()
        : schedule.next(scanner.scan(), room.get());
  }

  private void failed(Exception e) {
    blocked.is(e);
    registry.counter("pool.failures").inc();
  }

  private boolean isIdle() throws IOException {
    load.begin();
    return load.busy(Duration.ZERO).isEmpty();
  }

  /** The use of processors is only known after some time. */
  private boolean staysIdle() throws IOException, InterruptedException {
    Thread.sleep(NodeLoad.WINDOW.toMillis());
    return load.busy(Duration.ZERO).isEmpty();
  }

  private void run(RecipeSchedule.Job job) throws IOException, InterruptedException {
    Recipe recipe = job.recipe();
    registry.counter("recipes.runs").inc();
    RecipeRun.Outcome outcome = RecipeRun.Outcome.NOT_STARTED;
    long started = System.nanoTime();
    try (RecipeRun run = new RecipeRun(recipe, job.newJvm(), place, load, priority)) {
      outcome = run.await();
    } catch (IOException e) {
      LOG.warn("Cannot run the recipe {}", recipe.name(), e);
    }
    registry.counter("recipes.spent_ms").inc((System.nanoTime() - started) / 1_000_000);
    // What a run leaves that gave way may have to end, too: for the same reason.
    boolean complete = outcome.failure() == null && outcome.revoked() == null;
    if (complete && !back.isBack(outcome.trace())) {
      outcome = new RecipeRun.Outcome("retired", null, outcome.trace());
    }
    tell(job, outcome);
  }

  private void tell(RecipeSchedule.Job job, RecipeRun.Outcome outcome) {
    String name = job.recipe().name();
    boolean givenUp = schedule.ended(job, outcome);
    if (outcome.revoked() != null) {
      registry.counter("recipes.revoked." + outcome.revoked()).inc();
      LOG.info("The recipe {} gave way ({})", name, outcome.revoked());
    } else if (outcome.failure() == null) {
      LOG.info(
          "The recipe {} was run {} of JVM {}",
          name,
          outcome.trace().run(),
          outcome.trace().jvmPid());
    } else {
      registry.counter("recipes.failed." + outcome.failure()).inc();
      LOG.warn(
          "The recipe {} failed ({}); see {}, and: hottub why {}{}",
          name,
          outcome.failure(),
          place.log(job.recipe()),
          RecipeRun.ID_PREFIX,
          name);
    }
    if (givenUp) {
      registry.counter("recipes.given_up").inc();
      LOG.error(
          "The recipe {} has failed {} times in a row and is given up until the NodeManager starts"
              + " again",
          name,
          RecipeSchedule.MAX_FAILURES);
    }
  }

  /** Ends the run that is on; its JVM goes back to the pool. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(STOP_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
