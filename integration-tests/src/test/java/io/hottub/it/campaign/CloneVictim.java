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
  TEMPLATE("template", Role.TEMPLATE, Part.JVM),
  KEEPER_OF_TEMPLATE("its keeper", Role.TEMPLATE, Part.KEEPER),
  READY("clone that waits for a run", Role.READY, Part.JVM),
  KEEPER_OF_READY("its keeper", Role.READY, Part.KEEPER),
  WITH_RUN("clone with a run", Role.WITH_RUN, Part.JVM),
  KEEPER_OF_WITH_RUN("its keeper", Role.WITH_RUN, Part.KEEPER),
  CLIENT("its client", Role.WITH_RUN, Part.CLIENT),
  NEW("JVM that is to become a template", Role.NEW, Part.JVM),
  KEEPER_OF_NEW("its keeper", Role.NEW, Part.KEEPER),
  CLIENT_OF_NEW("its client", Role.NEW, Part.CLIENT);

  private enum Role {
    TEMPLATE,
    READY,
    WITH_RUN,
    NEW
  }

  private enum Part {
    JVM,
    KEEPER,
    CLIENT
  }

  /** In that time the next clone is ready, or a JVM is started. */
  private static final long THERE_MS = 1000;

  private final String title;
  private final Role role;
  private final Part part;

  CloneVictim(String title, Role role, Part part) {
    this.title = title;
    this.role = role;
    this.part = part;
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
      // A client whose JVM dies as it enters main has written nothing.
      return victim.part == Part.CLIENT
          || (victim.role != Role.TEMPLATE && (trace.jvm() == jvm || trace.line().isEmpty()));
    }
  }

  /** Whether it is only in a pool without a template. */
  boolean isNew() {
    return role == Role.NEW;
  }

  /** Looks for the process until it is there, as long as it can be. */
  Optional<Target> find(ClonePool pool, Started run) throws Exception {
    if (part == Part.CLIENT) {
      return Optional.of(run.process())
          .filter(Process::isAlive)
          .map(client -> new Target(this, client.toHandle(), 0, 0));
    }
    long deadline = System.nanoTime() + THERE_MS * 1_000_000;
    Optional<Target> target = look(pool, run);
    while (target.isEmpty()
        && System.nanoTime() < deadline
        && (role != Role.WITH_RUN || run.process().isAlive())) {
      Thread.sleep(1);
      target = look(pool, run);
    }
    return target;
  }

  private Optional<Target> look(ClonePool pool, Started run) throws IOException {
    List<KeeperState> all = pool.states();
    return all.stream()
        .filter(s -> s.jvmPid() != null && isRight(s, all, run))
        .findFirst()
        .flatMap(s -> target(pool, s));
  }

  private boolean isRight(KeeperState state, List<KeeperState> all, Started run) {
    return switch (role) {
      case TEMPLATE -> state.state() == JvmState.TEMPLATE;
      case READY -> state.state() == JvmState.IDLE && ClonePool.isClone(state, all);
      case WITH_RUN -> isOf(run, state) && ClonePool.isClone(state, all);
      case NEW -> all.stream().noneMatch(s -> ClonePool.isClone(s, all));
    };
  }

  static boolean isOf(Started run, KeeperState state) {
    return state.clientPid() != null && state.clientPid() == run.process().pid();
  }

  private Optional<Target> target(ClonePool pool, KeeperState state) {
    return ProcessHandle.of(part == Part.KEEPER ? state.keeperPid() : state.jvmPid())
        .filter(process -> pool.lives(process.pid()))
        .map(process -> new Target(this, process, state.keeperPid(), state.jvmPid()));
  }

  @Override
  public String toString() {
    return title;
  }
}
