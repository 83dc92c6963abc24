// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** Jobs of MapReduce, of its examples and of the program {@code MapReduceJob}. */
public abstract class MapReduceOnYarn extends JobsOnYarn {
  private static final String WORD_COUNT = "org.apache.hadoop.examples.WordCount";
  private Path jobJar;
  private Path examples;

  @Override
  protected String engine() {
    return "mapreduce";
  }

  @Override
  protected String master() {
    return "org.apache.hadoop.mapreduce.v2.app.MRAppMaster";
  }

  @Override
  protected String task() {
    return "org.apache.hadoop.mapred.YarnChild";
  }

  @Override
  protected String trainer() {
    return "io.hottub.mapreduce.Trainer";
  }

  /** The job's jar is that of the examples. */
  @Override
  protected String permanent(String recipe) {
    return recipe.replaceAll("[^:= ]*/job[.]jar/job[.]jar", examples.toString());
  }

  @Override
  protected void configure(YarnNode node) throws Exception {
    install(node, jars);
  }

  /** Settings of all jobs of MapReduce on a node. */
  public static void install(YarnNode node, Path jars) {
    node.set("mapreduce.framework.name", "yarn");
    node.set("mapreduce.application.classpath", jars + "/*");
    node.set("yarn.app.mapreduce.am.staging-dir", node.dir().resolve("staging").toString());
    node.set("yarn.app.mapreduce.am.resource.mb", "768");
    node.set("yarn.app.mapreduce.am.command-opts", "-Xmx384m -Djava.net.preferIPv4Stack=true");
    node.set("mapreduce.map.memory.mb", "512");
    node.set("mapreduce.reduce.memory.mb", "512");
    node.set("mapred.child.java.opts", "-Xmx256m -Djava.net.preferIPv4Stack=true");
  }

  @Override
  protected String nodeManagerClassPath() throws Exception {
    return ShuffleService.install(node);
  }

  @Override
  protected String clientClassPath() {
    return File.pathSeparator + jobJar;
  }

  @BeforeAll
  public void makeJobJar() throws Exception {
    try (var files = Files.newDirectoryStream(jars, "hadoop-mapreduce-examples-*.jar")) {
      examples = files.iterator().next();
    }
    Path classes =
        Programs.compileWith(Programs.jarsIn(jars), node.dir().resolve("classes"), "MapReduceJob");
    jobJar = Programs.jar(node.dir().resolve("job.jar"), classes);
  }

  /** Counts words, with a program of MapReduce's examples. */
  protected HadoopJob wordCount(boolean pooled, Path words, String result) throws Exception {
    return submit(pooled, WORD_COUNT, List.of(), words.toString(), result);
  }

  /** The program of the tests. */
  protected HadoopJob program(
      boolean pooled, String mode, Path words, String result, String... settings) throws Exception {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("mapreduce.job.jar=" + jobJar);
    return submit(pooled, "MapReduceJob", all, mode, words.toString(), result);
  }
}
