// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.mapreduce;

import io.hottub.trainers.ContainerLog;
import io.hottub.trainers.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringTokenizer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/**
 * Main class of recipes for MapReduce's JVMs: counts words with spills, combiner and compression,
 * once by an application master that runs its tasks itself, and once by MapReduce's local runner.
 * All happens in this process and below its working directory.
 */
public final class Trainer {
  private Trainer() {}

  /** Once; more is what {@code runs} of the recipe is for. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "trainer");
    ContainerLog.into(folder, "container-log4j.properties");
    Path words = Words.write(folder.resolve("words"));
    long start = System.nanoTime();
    Job job = job(folder, words, "local");
    job.setNumReduceTasks(2);
    if (!job.waitForCompletion(false)) {
      throw new IOException("the job of the local runner has failed");
    }
    start = tell("by the local runner", start);
    MasterOfOne.run(job(folder, words, "master"));
    tell("by an application master", start);
  }

  private static long tell(String what, long start) {
    long now = System.nanoTime();
    System.out.printf("trainer: %s, %d ms%n", what, (now - start) / 1_000_000);
    return now;
  }

  private static Job job(Path folder, Path words, String name) throws IOException {
    JobConf conf = new JobConf();
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set("mapreduce.framework.name", "local");
    conf.set("mapreduce.cluster.local.dir", folder.resolve("local").toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", folder.resolve("staging").toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", folder.resolve("staging").toString());
    conf.setInt("mapreduce.local.map.tasks.maximum", 2);
    conf.setInt("mapreduce.client.completion.pollinterval", 100);
    // Little enough for several spills of each map.
    conf.setInt("mapreduce.task.io.sort.mb", 1);
    conf.setBoolean("mapreduce.map.output.compress", true);
    Job job = Job.getInstance(conf, name);
    job.setMapperClass(Split.class);
    job.setCombinerClass(LongSumReducer.class);
    job.setReducerClass(LongSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(words.toUri()));
    FileOutputFormat.setOutputPath(
        job, new org.apache.hadoop.fs.Path(folder.resolve("counted-" + name).toUri()));
    return job;
  }

  /** Makes words of lines. */
  public static final class Split extends Mapper<Object, Text, Text, LongWritable> {
    private static final LongWritable ONE = new LongWritable(1);
    private final Text word = new Text();

    @Override
    protected void map(Object offset, Text line, Context context)
        throws IOException, InterruptedException {
      StringTokenizer words = new StringTokenizer(line.toString());
      while (words.hasMoreTokens()) {
        word.set(words.nextToken());
        context.write(word, ONE);
      }
    }
  }
}
