// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.it.campaign.CloneRuns.Started;
import io.hottub.it.campaign.CloneRuns.Trace;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What is killed while a run is on its way, and which runs may end by that. */
enum CloneVictim {
  TEMPLATE("template", JvmState.TEMPLATE, false),
  KEEPER_OF_TEMPLATE("keeper of the template", JvmState.TEMPLATE, true),
  READY("clone that waits for a run", JvmState.IDLE, false),
  KEEPER_OF_READY("keeper of a clone that waits", JvmState.IDLE, true),
  WITH_RUN("clone with a run", JvmState.LEASED, false),
  KEEPER_OF_WITH_RUN("keeper of a clone with a run", JvmState.LEASED, true),
  CLIENT("client", null, false);

  /** The longest time in which the next clone is ready. */
  private static final long READY_MS = 1000;

  private final String title;
  private final JvmState state;
  private final boolean isKeeper;

  CloneVictim(String title, JvmState state, boolean isKeeper) {
    this.title = title;
    this.state = state;
    this.isKeeper = isKeeper;
  }

  /**
   * A process, and with whom it has to end.
   *
   * @param keeper pid of the keeper, 0 where a client is killed
   * @param jvm pid of that keeper's JVM
   */
  record Target(CloneVictim victim, ProcessHandle process, long keeper, long jvm) {
    boolean kill() {
      return process.destroyForcibly();
    }

    /** Whether SIGKILL may be the end of the run with this trace. */
    boolean mayEnd(Trace trace) {
      return switch (victim) {
        case TEMPLATE, KEEPER_OF_TEMPLATE -> false;
        case CLIENT -> true;
        // A client whose JVM dies as it enters main has written nothing.
        default -> trace.jvm() == jvm || trace.jvm() == 0;
      };
    }
  }

  /** Looks for the process until it is there, as long as it can be. */
  Optional<Target> find(ClonePool pool, Started run) throws Exception {
    if (this == CLIENT) {
      return Optional.of(run.process())
          .filter(Process::isAlive)
          .map(client -> new Target(this, client.toHandle(), 0, 0));
    }
    long deadline = System.nanoTime() + READY_MS * 1_000_000;
    Optional<Target> target = look(pool, run);
    while (target.isEmpty()
        && System.nanoTime() < deadline
        && (state != JvmState.LEASED || run.process().isAlive())) {
      Thread.sleep(1);
      target = look(pool, run);
    }
    return target;
  }

  private Optional<Target> look(ClonePool pool, Started run) throws IOException {
    List<KeeperState> all = pool.states();
    return all.stream()
        .filter(s -> s.state() == state && s.jvmPid() != null)
        .filter(s -> state == JvmState.TEMPLATE || ClonePool.isClone(s, all))
        .filter(s -> state != JvmState.LEASED || isOf(run, s))
        .findFirst()
        .flatMap(this::target);
  }

  static boolean isOf(Started run, KeeperState state) {
    return state.clientPid() != null && state.clientPid() == run.process().pid();
  }

  private Optional<Target> target(KeeperState state) {
    return ProcessHandle.of(isKeeper ? state.keeperPid() : state.jvmPid())
        .map(process -> new Target(this, process, state.keeperPid(), state.jvmPid()));
  }

  @Override
  public String toString() {
    return title;
  }
}
