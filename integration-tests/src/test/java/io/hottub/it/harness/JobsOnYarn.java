// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * Jobs of MapReduce or Tez on a real node and its local file system, on stock JVMs and on the pool.
 * The client runs on the distribution's JDK: a setting of the job is all that asks for HotTub.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class JobsOnYarn {
  private HadoopClients clients;
  protected Pool pool;
  protected YarnNode node;

  /** The engine's jars. */
  protected Path jars;

  private int folders;
  private String nodeManagerClassPath;

  /** As the script that fetches its jars has it, and as its settings begin. */
  protected abstract String engine();

  /** Main class of its application master. */
  protected abstract String master();

  /** Main class of its tasks. */
  protected abstract String task();

  /** What trains its JVMs: a main class in the jar of the trainers. */
  protected abstract String trainer();

  /**
   * A recipe of one of its containers, with what lies in YARN's cache named where it stays, as an
   * operator does it.
   */
  protected abstract String permanent(String recipe);

  /** Settings beyond those of every such test, before the daemons are started. */
  protected void configure(YarnNode node) throws Exception {}

  /** What the NodeManager needs on its class path beside HotTub; may be empty. */
  protected String nodeManagerClassPath() throws Exception {
    return "";
  }

  /** What clients need on their class path beside the engine; may be empty. */
  protected String clientClassPath() {
    return "";
  }

  @BeforeAll
  public void startYarn() throws Exception {
    jars = SparkHome.fetchOfThisHadoop(engine());
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    clients = new HadoopClients(pool, node);
    node.set("yarn.nodemanager.resource.memory-mb", "6144");
    node.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    node.set("yarn.nodemanager.aux-services", "mapreduce_shuffle,hottub");
    configure(node);
    node.startResourceManager();
    nodeManagerClassPath = Daemon.dropInJar() + nodeManagerClassPath();
    node.startNodeManagerWith(nodeManagerClassPath);
  }

  /**
   * A node that has just started, with an empty pool and these recipes.
   *
   * @param recipes their texts by their names
   */
  public void startAnew(Map<String, String> recipes) throws Exception {
    Recipes.replace(node, pool, folder(), recipes);
    node.startNodeManagerWith(nodeManagerClassPath);
  }

  /**
   * Recipes for application master and tasks of this job, made of its containers while they run.
   *
   * @return the texts by the main classes of the containers
   */
  protected Map<String, String> recipesOf(Submission submission) throws Exception {
    List<String> trainer = List.of(Recipes.RUN_JAR, Daemon.jar("tez-plugin").toString(), trainer());
    Map<String, String> recipes = new TreeMap<>();
    Set<String> kinds = Set.of(master(), task());
    // One that ends too soon is met in the next job.
    for (int runs = 0; runs < 3 && recipes.size() < kinds.size(); runs++) {
      HadoopJob job = submission.submit(true, folder().toString());
      Recipes.collect(recipes, pool, job.process(), kinds, trainer, this::permanent);
      assertEquals(0, job.end(), job.log());
      pool.awaitIdle();
    }
    assertEquals(kinds, recipes.keySet());
    return recipes;
  }

  @AfterEach
  void endClients() {
    clients.killAll();
  }

  @AfterAll
  public void stopYarn() throws Exception {
    pool.retireAll();
    node.close();
    pool.close();
  }

  /** A folder of its own, which is not there yet. */
  protected Path folder() {
    return node.dir().resolve("job-" + ++folders);
  }

  /** Files of words, of which every job makes the same. */
  protected Path words(int files) throws IOException {
    return words(folder(), files, "");
  }

  /**
   * The same.
   *
   * @param folder is made
   * @param suffix of the files' names
   */
  public static Path words(Path folder, int files, String suffix) throws IOException {
    Files.createDirectory(folder);
    for (int file = 0; file < files; file++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < 2_000; word++) {
        text.append("word").append(word * (file + 7) % 97).append(word % 9 == 8 ? "\n" : " ");
      }
      Files.writeString(folder.resolve("words-" + file + suffix), text + "\n");
    }
    return folder;
  }

  /** Starts a job's client. */
  protected HadoopJob submit(
      boolean pooled, String main, List<String> settings, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(engine() + ".hottub.enabled=" + pooled));
    all.addAll(settings);
    return clients.submit(jars + "/*" + clientClassPath(), main, all, arguments);
  }

  /** Submits a job that writes its result to a folder. */
  protected interface Submission {
    HadoopJob submit(boolean pooled, String result) throws Exception;
  }

  /** All lines of a job's result, in order. */
  protected String result(boolean pooled, Submission submission) throws Exception {
    Path folder = folder();
    HadoopJob job = submission.submit(pooled, folder.toString());
    assertEquals(0, job.end(), job.log());
    pool.awaitIdle();
    return lines(folder);
  }

  /**
   * A job that has ended.
   *
   * @param millis wall time of its client
   * @param warm its containers that had a warm JVM
   */
  protected record Timed(long millis, String result, int warm) {}

  /** Runs a job to its end. */
  protected Timed timed(boolean pooled, Submission submission) throws Exception {
    int former = ServedRuns.journalled(pool);
    Path folder = folder();
    long begin = System.nanoTime();
    HadoopJob job = submission.submit(pooled, folder.toString());
    assertEquals(0, job.end(), job.log());
    long millis = (System.nanoTime() - begin) / 1_000_000;
    pool.awaitIdle();
    List<String> served = ServedRuns.since(pool, former);
    long warm = served.stream().filter(run -> run.endsWith(" warm")).count();
    return new Timed(millis, lines(folder), (int) warm);
  }

  /** All lines of the result in a folder, in order. */
  public static String lines(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      String lines =
          files
              .filter(file -> !file.getFileName().toString().matches("[._].*"))
              .filter(Files::isRegularFile)
              .flatMap(JobsOnYarn::linesOf)
              .sorted()
              .collect(joining("\n"));
      assertTrue(!lines.isEmpty(), "the job has a result");
      return lines;
    }
  }

  private static Stream<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How the containers of a pooled job were served, after the result was seen to be this one. */
  protected List<String> served(String expected, Submission submission) throws Exception {
    int former = ServedRuns.journalled(pool);
    assertEquals(expected, result(true, submission));
    return ServedRuns.since(pool, former);
  }

  /**
   * As on stock JVMs. The master is warm from the second time on, and so are tasks: but one that
   * comes while the JVMs of those before it are reset starts another, which is there the next time.
   */
  protected void assertWarmAndEqual(Submission submission) throws Exception {
    String stock = result(false, submission);
    served(stock, submission);
    List<String> served = served(stock, submission);
    assertTrue(served.contains(master() + " warm"), served + pool.logs());
    awaitWarm(served, stock, submission);
  }

  /** The same of a pool that was warm, after something has happened to it. */
  protected void assertWarmAgain(String expected, Submission submission) throws Exception {
    awaitWarm(served(expected, submission), expected, submission);
  }

  private void awaitWarm(List<String> last, String expected, Submission submission)
      throws Exception {
    List<String> served = last;
    for (int more = 0; more < 3 && !areWarm(served); more++) {
      served = served(expected, submission);
    }
    assertTrue(areWarm(served), served + pool.logs());
    System.out.printf("%d containers, all warm%n", served.size());
  }

  private static boolean areWarm(List<String> served) {
    return served.stream().allMatch(run -> run.endsWith(" warm"));
  }
}
