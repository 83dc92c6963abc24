// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import io.hottub.it.faults.JobFault.Act;
import io.hottub.it.faults.JobFault.Moment;
import io.hottub.it.faults.JobScene.Part;
import io.hottub.it.faults.RealJobs.Engine;
import io.hottub.it.harness.HadoopJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.SignalContainerCommand;

/** All disturbances of jobs. */
final class JobFaultKinds {
  static final String PROCESSES = "processes of jobs";
  static final String ENDED_BY_YARN = "containers and applications, by YARN";
  static final String NODE_MANAGER = "NodeManager under a job";
  static final String ZOOKEEPER = "ZooKeeper under a job";
  static final String RESOURCE_MANAGER = "ResourceManager under a job";
  static final String DISK = "full local directory";

  /** With what is compared that no stock JVM has, and that is not to be noticed. */
  static final String UNDISTURBED = "undisturbed";

  private static final int LONGEST_SESSIONS_MS = 8_000;
  private static final int FILL_MS = 20;
  private static final List<Moment> ALWAYS = List.of(Moment.values());
  private static final List<Moment> AT_WORK = List.of(Moment.AT_WORK);
  private static final List<Moment> NOT_LATE = List.of(Moment.STARTING, Moment.AT_WORK);

  private final Map<String, JobFault> kinds = new LinkedHashMap<>();

  private JobFaultKinds() {}

  static Map<String, JobFault> all() {
    JobFaultKinds all = new JobFaultKinds();
    for (boolean master : new boolean[] {false, true}) {
      all.addProcesses(master);
    }
    all.addDriver();
    all.addYarn();
    all.addDaemons();
    return all.kinds;
  }

  /** A job to which nothing happens. */
  static JobFault undisturbed() {
    return new JobFault(
        UNDISTURBED, "", UNDISTURBED, false, false, 0, AT_WORK, engines(), scene -> true);
  }

  private static List<Engine> engines() {
    return List.of(Engine.values());
  }

  private void add(
      String name,
      String family,
      String like,
      boolean master,
      boolean isFatal,
      int share,
      List<Moment> moments,
      Act act) {
    kinds.put(
        name, new JobFault(name, family, like, master, isFatal, share, moments, engines(), act));
  }

  private void addProcesses(boolean master) {
    String whose = master ? "a master's " : "a task's ";
    String java = whose + "process";
    addSignals(master, "KILL", 4, ALWAYS, java, Part.JAVA);
    addSignals(master, "TERM", 3, master ? NOT_LATE : ALWAYS, java, Part.JAVA);
    addSignals(master, "SEGV", 2, AT_WORK, java, Part.JAVA);
    addStop(master, whose + "process", java, Part.JAVA);
    String shell = "SIGKILL to " + whose + "shell";
    Act killShell = scene -> scene.signal(Part.SHELL, "KILL");
    add(shell, PROCESSES, shell, master, true, 2, AT_WORK, killShell);
    addSignals(master, "KILL", 4, ALWAYS, whose + "pooled JVM", Part.JVM);
    addSignals(master, "TERM", 2, AT_WORK, whose + "pooled JVM", Part.JVM);
    addSignals(master, "SEGV", 2, AT_WORK, whose + "pooled JVM", Part.JVM);
    addStop(master, whose + "pooled JVM", java, Part.JVM);
    addSignals(master, "KILL", 3, NOT_LATE, whose + "keeper", Part.KEEPER);
    addStop(master, whose + "keeper", java, Part.KEEPER);
    // It is to retire its JVM when that has no run any more.
    addUnnoticed(master, "SIGTERM to " + whose + "keeper", Part.KEEPER, "TERM");
    addUnnoticed(master, "SIGKILL to " + whose + "template", Part.TEMPLATE, "KILL");
    addUnnoticed(
        master, "SIGKILL to the keeper of " + whose + "template", Part.KEEPER_OF_TEMPLATE, "KILL");
  }

  private void addSignals(
      boolean master, String signal, int share, List<Moment> moments, String victim, Part part) {
    String like = "SIG" + signal + " to " + (master ? "a master's " : "a task's ") + "process";
    String name = "SIG" + signal + " to " + victim;
    add(name, PROCESSES, like, master, true, share, moments, scene -> scene.signal(part, signal));
  }

  private void addStop(boolean master, String victim, String like, Part part) {
    String stop = "SIGSTOP to ";
    add(
        stop + victim,
        PROCESSES,
        stop + like,
        master,
        false,
        2,
        AT_WORK,
        scene -> scene.stop(part));
  }

  private void addUnnoticed(boolean master, String name, Part part, String signal) {
    add(name, PROCESSES, UNDISTURBED, master, false, 1, AT_WORK, s -> s.signal(part, signal));
  }

  /** The driver of a job of Spark. */
  private void addDriver() {
    for (String signal : List.of("KILL", "TERM")) {
      ofSpark("SIG" + signal + " to a driver", 2, scene -> scene.signal(Part.DRIVER, signal));
    }
    ofSpark("SIGSTOP to a driver", 1, scene -> scene.stop(Part.DRIVER));
  }

  private void ofSpark(String name, int share, Act act) {
    List<Engine> spark = List.of(Engine.SPARK);
    kinds.put(name, new JobFault(name, PROCESSES, name, true, false, share, AT_WORK, spark, act));
  }

  private void addYarn() {
    addCommand(false, SignalContainerCommand.GRACEFUL_SHUTDOWN, 2);
    addCommand(false, SignalContainerCommand.FORCEFUL_SHUTDOWN, 2);
    addCommand(true, SignalContainerCommand.FORCEFUL_SHUTDOWN, 2);
    addCommand(false, SignalContainerCommand.OUTPUT_THREAD_DUMP, 1);
    String kill = "yarn application -kill";
    add(
        kill,
        ENDED_BY_YARN,
        kill,
        true,
        true,
        4,
        NOT_LATE,
        scene -> {
          String id = scene.job().client().id();
          scene.cluster().node().client().killApplication(ApplicationId.fromString(id));
          scene.awaitVictimsEnd();
          return true;
        });
  }

  private void addCommand(boolean master, SignalContainerCommand command, int share) {
    boolean isFatal = command != SignalContainerCommand.OUTPUT_THREAD_DUMP;
    String name = "yarn container -signal of a " + (master ? "master, " : "task, ") + command;
    add(
        name,
        ENDED_BY_YARN,
        name,
        master,
        isFatal,
        share,
        AT_WORK,
        scene -> {
          ContainerId container = ContainerId.fromString(scene.container());
          scene.cluster().node().client().signalToContainer(container, command);
          if (isFatal) {
            scene.awaitVictimsEnd();
          }
          return true;
        });
  }

  private void addDaemons() {
    addDaemon("SIGKILL to the NodeManager, and restart", NODE_MANAGER, 7, this::nodeManagerKilled);
    addDaemon("stop of the NodeManager, and restart", NODE_MANAGER, 4, this::nodeManagerStopped);
    addDaemon("SIGSTOP to the NodeManager", NODE_MANAGER, 4, this::nodeManagerSuspended);
    addDaemon(
        "SIGKILL to the ResourceManager, and restart",
        RESOURCE_MANAGER,
        3,
        this::resourceManagerKilled);
    addZooKeeper("SIGKILL to ZooKeeper under a job, and restart", this::zooKeeperKilled);
    addZooKeeper("SIGSTOP to ZooKeeper under a job", this::zooKeeperSuspended);
    String full = "full local directory";
    add(full, DISK, full, false, false, 3, AT_WORK, this::localFull);
  }

  private void addDaemon(String name, String family, int share, Act act) {
    add(name, family, name, true, false, share, NOT_LATE, act);
  }

  private void addZooKeeper(String name, Act act) {
    add(name, ZOOKEEPER, UNDISTURBED, true, false, 4, ALWAYS, act);
  }

  /** Lets the job go, in half of all cases. */
  private static void maybeLetGo(JobScene scene) throws IOException {
    if (scene.random().nextBoolean()) {
      scene.job().letGo();
    }
  }

  private boolean nodeManagerKilled(JobScene scene) throws Exception {
    scene.cluster().node().nodeManager().kill();
    maybeLetGo(scene);
    scene.cluster().startNodeManager();
    return true;
  }

  private boolean nodeManagerStopped(JobScene scene) throws Exception {
    scene.cluster().node().nodeManager().stop();
    maybeLetGo(scene);
    scene.cluster().startNodeManager();
    return true;
  }

  private boolean nodeManagerSuspended(JobScene scene) throws Exception {
    var nodeManager = scene.cluster().node().nodeManager();
    nodeManager.suspend();
    try {
      maybeLetGo(scene);
      Thread.sleep(scene.someTime());
    } finally {
      nodeManager.resume();
    }
    return true;
  }

  private boolean resourceManagerKilled(JobScene scene) throws Exception {
    scene.cluster().node().resourceManager().kill();
    maybeLetGo(scene);
    scene.cluster().startResourceManager();
    return true;
  }

  private boolean zooKeeperKilled(JobScene scene) throws Exception {
    scene.cluster().zookeeper().kill();
    try {
      maybeLetGo(scene);
      Thread.sleep(scene.someTime());
    } finally {
      scene.cluster().zookeeper().start();
    }
    return true;
  }

  /** Shorter or longer than a session. */
  private boolean zooKeeperSuspended(JobScene scene) throws Exception {
    scene.cluster().zookeeper().suspend();
    try {
      maybeLetGo(scene);
      Thread.sleep(scene.random().nextInt(LONGEST_SESSIONS_MS));
    } finally {
      scene.cluster().zookeeper().resume();
    }
    return true;
  }

  /**
   * Until the job has ended: how often tasks try again is not to depend on how fast they are. What
   * the NodeManager deletes meanwhile is filled again.
   */
  private boolean localFull(JobScene scene) throws Exception {
    if (!scene.cluster().canFillLocal()) {
      return false;
    }
    Path filler = scene.cluster().local().resolve("filler");
    try {
      fill(filler);
      scene.job().letGo();
      long deadline = System.nanoTime() + HadoopJob.LONGEST.toNanos();
      while (scene.job().client().process().isAlive() && System.nanoTime() < deadline) {
        Thread.sleep(FILL_MS);
        fill(filler);
      }
    } finally {
      Files.deleteIfExists(filler);
    }
    return true;
  }

  private static void fill(Path file) {
    ByteBuffer block = ByteBuffer.allocate(1 << 12);
    try (SeekableByteChannel out =
        Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (out.write(block.rewind()) > 0) {}
    } catch (IOException e) {
      // It is full.
    }
  }
}
