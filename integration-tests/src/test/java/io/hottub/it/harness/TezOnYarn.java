// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.BeforeAll;

/** Applications of Tez, with its own examples and the program {@code TezJob}. */
public abstract class TezOnYarn extends JobsOnYarn {
  /** Main class of application masters. */
  static final String MASTER = "org.apache.tez.dag.app.DAGAppMaster";

  /** That of tasks. */
  static final String TASK = "org.apache.tez.runtime.task.TezChild";

  /** What trains the JVMs of both. */
  static final String TRAINER = "io.hottub.tez.Trainer";

  private Path jobJar;

  @Override
  protected String engine() {
    return "tez";
  }

  @Override
  protected String master() {
    return MASTER;
  }

  @Override
  protected String task() {
    return TASK;
  }

  @Override
  protected String trainer() {
    return TRAINER;
  }

  @Override
  protected String permanent(String recipe) {
    return recipe.replaceAll("[^:= ]*/filecache/[0-9]+/tez[.]zip/", jars + "/");
  }

  @Override
  protected void configure(YarnNode node) throws Exception {
    install(node, jars);
    node.set(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        "io.hottub.quickstart.LocalShuffle");
  }

  /** Settings of all applications of Tez on a node that has a shuffle service. */
  public static void install(YarnNode node, Path jars) {
    Path libraries = node.dir().resolve("tez.zip");
    int status =
        ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(System.out, System.err, "-c0Mf", libraries.toString(), "-C", jars.toString(), ".");
    assertEquals(0, status, "the archive of Tez is made");
    node.set("tez.lib.uris", libraries.toUri().toString());
    node.set("tez.staging-dir", node.dir().resolve("staging").toString());
    node.set("tez.simple.history.logging.dir", historyFolder(node).toString());
    // Without options of its own the master's web pages do not get along with a JDK 17.
    node.set("tez.am.tez-ui.webservice.enable", "false");
    node.set("tez.am.resource.memory.mb", "768");
    node.set("tez.task.resource.memory.mb", "512");
  }

  /** The NodeManager has MapReduce's shuffle service in place of one that nobody asks. */
  protected String withShuffleService() throws Exception {
    return ShuffleService.install(node);
  }

  /** Another node of the cluster, too small for a master. */
  protected YarnNode nodeForOneTask(Pool itsPool) throws Exception {
    YarnNode other = new YarnNode(itsPool.root(), Home.path(), node);
    other.set("yarn.nodemanager.resource.memory-mb", "512");
    other.set("yarn.nodemanager.aux-services", "mapreduce_shuffle,hottub");
    other.startNodeManagerWith(Daemon.dropInJar() + ShuffleService.install(other));
    return other;
  }

  private static Path historyFolder(YarnNode node) {
    return node.dir().resolve("history");
  }

  @Override
  protected String clientClassPath() {
    return File.pathSeparator + jobJar;
  }

  @BeforeAll
  public void makeJobJar() throws Exception {
    Path classes =
        Programs.compileWith(
            Programs.jarsIn(jars), node.dir().resolve("classes"), "TezJob", "TimelineHistory");
    jobJar = Programs.jar(node.dir().resolve("job.jar"), classes);
  }

  /** Counts words, with a program of Tez's examples. */
  protected HadoopJob orderedWordCount(
      boolean pooled, Path words, String result, String... settings) throws Exception {
    return submit(
        pooled,
        "org.apache.tez.examples.OrderedWordCount",
        List.of(settings),
        words.toString(),
        result);
  }

  /** Settings of a job whose containers have the programs of the tests. */
  protected String withJobJar() {
    return "tez.aux.uris=" + jobJar.toUri();
  }

  /** Gates for one job. */
  protected TezGates gates() throws IOException {
    return new TezGates(folder());
  }

  /**
   * The program of the tests.
   *
   * @param arguments how many tasks make words, and how many count them; how many containers are
   *     warmed before
   */
  protected HadoopJob program(
      boolean pooled, TezGates gates, String result, List<Integer> arguments, List<String> settings)
      throws IOException {
    List<String> all = new ArrayList<>(settings);
    all.add(withJobJar());
    List<String> words = new ArrayList<>(List.of(gates.folder().toString(), result));
    arguments.forEach(number -> words.add(number.toString()));
    return submit(pooled, "TezJob", all, words.toArray(String[]::new));
  }

  /** What YARN says of a job. */
  protected ApplicationReport report(HadoopJob job) throws Exception {
    return node.client().getApplicationReport(ApplicationId.fromString(job.id()));
  }

  /** Waits until the master of a job has ended, whose client has. */
  protected void awaitEnd(HadoopJob job) throws Exception {
    Await.until(
        job.id() + " has ended",
        () -> report(job).getYarnApplicationState() == YarnApplicationState.FINISHED);
  }

  /** What Tez says of a job that has ended. */
  protected TezHistory history(HadoopJob job) throws Exception {
    awaitEnd(job);
    return new TezHistory(historyFolder(node), job.id());
  }
}
