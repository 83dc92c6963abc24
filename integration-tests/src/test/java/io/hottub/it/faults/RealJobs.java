// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import io.hottub.it.harness.HadoopClients;
import io.hottub.it.harness.JobClient;
import io.hottub.it.harness.JobsOnYarn;
import io.hottub.it.harness.Programs;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Short jobs of MapReduce, Tez and Spark, whose first two tasks wait at work until they are let go.
 */
final class RealJobs {
  /** The kinds of jobs. */
  enum Engine {
    MAPREDUCE("MapReduce"),
    TEZ("Tez"),
    SPARK("Spark");

    private final String title;

    Engine(String title) {
      this.title = title;
    }

    /** Its name, as its settings begin. */
    String word() {
      return title.toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public String toString() {
      return title;
    }
  }

  private final JobCluster cluster;
  private final HadoopClients clients;
  private final Path words;
  private final Path codecClasses;
  private final Path codecJar;
  private int jobs;

  RealJobs(JobCluster cluster) throws Exception {
    this.cluster = cluster;
    Path dir = cluster.node().dir();
    clients = new HadoopClients(cluster.pool(), cluster.node());
    words = JobsOnYarn.words(dir.resolve("words"), 2, ".wait");
    codecClasses = Programs.compile(dir.resolve("codec"), "WaitingCodec");
    codecJar = Programs.jar(dir.resolve("codec.jar"), codecClasses);
  }

  /** Submits a job. */
  RealJob start(Engine engine, boolean pooled, String isolation) throws Exception {
    jobs++;
    Path folder = Files.createDirectory(cluster.pool().work().resolve("real-job-" + jobs));
    List<String> settings = new ArrayList<>();
    settings.add(engine.word() + ".hottub.enabled=" + pooled);
    settings.add(engine.word() + ".hottub.isolation=" + isolation);
    JobClient client =
        switch (engine) {
          case MAPREDUCE -> mapReduce(settings, folder);
          case TEZ -> tez(settings, folder);
          case SPARK -> spark(pooled, isolation, folder);
        };
    return new RealJob(engine, client, folder);
  }

  private JobClient mapReduce(List<String> settings, Path folder) throws Exception {
    waiting(settings, folder);
    settings.add("mapreduce.application.classpath=" + cluster.mapReduce() + "/*," + codecClasses);
    return clients.submit(
        cluster.mapReduce() + "/*" + File.pathSeparator + codecClasses,
        "org.apache.hadoop.examples.WordCount",
        settings,
        words.toString(),
        folder.resolve("result").toString());
  }

  private JobClient tez(List<String> settings, Path folder) throws Exception {
    waiting(settings, folder);
    settings.add("tez.aux.uris=" + codecJar.toUri());
    return clients.submit(
        cluster.tez() + "/*" + File.pathSeparator + codecClasses,
        "org.apache.tez.examples.OrderedWordCount",
        settings,
        "-disableSplitGrouping",
        words.toString(),
        folder.resolve("result").toString());
  }

  private static void waiting(List<String> settings, Path folder) {
    settings.add("io.compression.codecs=WaitingCodec");
    settings.add("test.folder=" + folder);
  }

  /** In client mode: its driver is a run of the pool, too. */
  private JobClient spark(boolean pooled, String isolation, Path folder) throws Exception {
    return cluster
        .spark()
        .submit(
            pooled,
            "client",
            List.of("spark.hottub.isolation=" + isolation),
            "wait",
            folder.toString());
  }

  /** Ends what runs of the clients. */
  void killAll() {
    clients.killAll();
    cluster.spark().killAll();
  }
}
