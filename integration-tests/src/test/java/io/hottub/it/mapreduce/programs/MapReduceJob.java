// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.zlib.ZlibFactory;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.apache.hadoop.security.JniBasedUnixGroupsMapping;
import org.apache.hadoop.util.NativeCodeLoader;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** {@code MapReduceJob MODE INPUT OUTPUT}: counts words, and what its mode says. */
public final class MapReduceJob extends Configured implements Tool {
  private static final String MODE = "test.mode";

  public static void main(String[] arguments) throws Exception {
    System.exit(ToolRunner.run(new MapReduceJob(), arguments));
  }

  @Override
  public int run(String[] arguments) throws Exception {
    getConf().set(MODE, arguments[0]);
    Job job = Job.getInstance(getConf(), arguments[0]);
    job.setMapperClass(Words.class);
    job.setCombinerClass(LongSumReducer.class);
    job.setReducerClass(LongSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    if (arguments[0].equals("partition")) {
      job.setPartitionerClass(OddAndEven.class);
      job.setNumReduceTasks(2);
    }
    FileInputFormat.addInputPath(job, new Path(arguments[1]));
    FileOutputFormat.setOutputPath(job, new Path(arguments[2]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Ends as the job's mode says, or not at all. */
  public static final class Words extends Mapper<Object, Text, Text, LongWritable> {
    private static final LongWritable ONE = new LongWritable(1);
    private final Text word = new Text();
    private static int mapped;

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      boolean first = context.getTaskAttemptID().getId() == 0;
      switch (context.getConfiguration().get(MODE)) {
        case "fail" -> throw new IOException("as the test wants it");
        case "fail-once" -> failIf(first);
        case "exit-once" -> exitIf(first);
        case "native" -> useNativeCode(context);
        default -> {}
      }
      if (mapped++ > 0
          && !context.getConfiguration().getBoolean("mapreduce.job.ubertask.enable", false)) {
        throw new IOException("a static of a task before: " + mapped);
      }
    }

    private static void useNativeCode(Context context) throws IOException, InterruptedException {
      if (!NativeCodeLoader.isNativeCodeLoaded()) {
        throw new IOException("no libhadoop.so in " + System.getProperty("java.library.path"));
      }
      List<Object> told = new ArrayList<>();
      told.add(NativeIO.POSIX.getStat("/").getOwner());
      told.add(new JniBasedUnixGroupsMapping().getGroups(System.getProperty("user.name")));
      told.add(ZlibFactory.isNativeZlibLoaded(context.getConfiguration()));
      context.write(new Text(told.toString()), ONE);
    }

    private static void failIf(boolean condition) throws IOException {
      if (condition) {
        throw new IOException("as the test wants it");
      }
    }

    private static void exitIf(boolean condition) {
      if (condition) {
        System.exit(3);
      }
    }

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

  /** By the last digit. */
  public static final class OddAndEven extends Partitioner<Text, LongWritable> {
    @Override
    public int getPartition(Text word, LongWritable count, int partitions) {
      return word.charAt(word.getLength() - 1) % 2 % partitions;
    }
  }
}
