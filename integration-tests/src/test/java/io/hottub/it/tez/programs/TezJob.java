// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.client.TezAppMasterStatus;
import org.apache.tez.client.TezClient;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.Edge;
import org.apache.tez.dag.api.PreWarmVertex;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.api.client.StatusGetOpts;
import org.apache.tez.mapreduce.output.MROutput;
import org.apache.tez.mapreduce.processor.SimpleMRProcessor;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.library.api.KeyValueWriter;
import org.apache.tez.runtime.library.api.KeyValuesReader;
import org.apache.tez.runtime.library.conf.OrderedPartitionedKVEdgeConfig;
import org.apache.tez.runtime.library.partitioner.HashPartitioner;
import org.apache.tez.runtime.library.processor.SimpleProcessor;

/**
 * {@code TezJob GATES RESULT FIRST SECOND}: so many tasks make words, and so many count them. Each
 * attempt writes its container to a file in the folder GATES and waits for leave there, so that
 * somebody else decides when it goes on.
 *
 * <p>{@code TezJob GATES RESULT FIRST SECOND WARM}: the same in a session that has so many
 * containers warmed before, says so by a file, and waits for leave to submit the graph.
 */
public final class TezJob extends Configured implements Tool {
  private static final String FIRST = "first";
  private static final String SECOND = "second";
  private static final String RESULT = "result";

  public static void main(String[] arguments) throws Exception {
    System.exit(ToolRunner.run(new TezJob(), arguments));
  }

  @Override
  public int run(String[] arguments) throws Exception {
    TezConfiguration conf = new TezConfiguration(getConf());
    boolean warmed = arguments.length > 4;
    TezClient client =
        warmed ? TezClient.create("TezJob", conf, true) : TezClient.create("TezJob", conf);
    client.start();
    try {
      if (warmed) {
        int containers = Integer.parseInt(arguments[4]);
        client.preWarm(
            PreWarmVertex.createConfigBuilder(conf)
                .setParallelism(containers)
                .setResource(
                    Resource.newInstance(
                        conf.getInt(TezConfiguration.TEZ_TASK_RESOURCE_MEMORY_MB, 0), 1))
                .build());
        // A graph that comes while containers are still warmed ends that.
        while (client.getAppMasterStatus() != TezAppMasterStatus.READY) {
          Thread.sleep(50);
        }
        Path gates = Path.of(arguments[0]);
        Files.createFile(gates.resolve("warmed"));
        awaitLeave(gates, List.of("graph"));
      }
      DAGStatus status =
          client
              .submitDAG(graph(conf, arguments))
              .waitForCompletionWithStatusUpdates(EnumSet.noneOf(StatusGetOpts.class));
      status.getDiagnostics().forEach(line -> System.out.println("Diagnostics: " + line));
      return status.getState() == DAGStatus.State.SUCCEEDED ? 0 : 1;
    } finally {
      client.stop();
    }
  }

  private static DAG graph(TezConfiguration conf, String[] arguments) {
    UserPayload gates =
        UserPayload.create(ByteBuffer.wrap(arguments[0].getBytes(StandardCharsets.UTF_8)));
    Vertex first =
        Vertex.create(
            FIRST,
            ProcessorDescriptor.create(Makes.class.getName()).setUserPayload(gates),
            Integer.parseInt(arguments[2]));
    Vertex second =
        Vertex.create(
            SECOND,
            ProcessorDescriptor.create(Counts.class.getName()).setUserPayload(gates),
            Integer.parseInt(arguments[3]));
    second.addDataSink(
        RESULT,
        MROutput.createConfigBuilder(new Configuration(conf), TextOutputFormat.class, arguments[1])
            .build());
    OrderedPartitionedKVEdgeConfig words =
        OrderedPartitionedKVEdgeConfig.newBuilder(
                Text.class.getName(), IntWritable.class.getName(), HashPartitioner.class.getName())
            .setFromConfiguration(conf)
            .build();
    return DAG.create("words")
        .addVertex(first)
        .addVertex(second)
        .addEdge(Edge.create(first, second, words.createDefaultEdgeProperty()));
  }

  /** Says that the attempt runs, and returns when it may go on. */
  private static void pass(ProcessorContext context) throws IOException, InterruptedException {
    Path gates =
        Path.of(StandardCharsets.UTF_8.decode(context.getUserPayload().getPayload()).toString());
    String vertex = context.getTaskVertexName();
    String task = vertex + "-" + context.getTaskIndex();
    String attempt = task + "-" + context.getTaskAttemptNumber();
    Path draft = gates.resolve(attempt + ".new");
    Files.writeString(draft, System.getenv("CONTAINER_ID"));
    Files.move(draft, gates.resolve(attempt), StandardCopyOption.ATOMIC_MOVE);
    awaitLeave(gates, List.of(vertex, task, attempt));
  }

  private static void awaitLeave(Path gates, List<String> names) throws InterruptedException {
    while (names.stream().noneMatch(name -> Files.exists(gates.resolve(name + ".go")))) {
      Thread.sleep(50);
    }
  }

  /** Makes words. */
  public static final class Makes extends SimpleProcessor {
    public Makes(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      pass(getContext());
      KeyValueWriter words = (KeyValueWriter) getOutputs().get(SECOND).getWriter();
      int task = getContext().getTaskIndex();
      for (int word = 0; word < 2_000; word++) {
        words.write(new Text("word" + word * (task + 7) % 97), new IntWritable(1));
      }
    }
  }

  /** Counts them. */
  public static final class Counts extends SimpleMRProcessor {
    public Counts(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      pass(getContext());
      KeyValueWriter counts = (KeyValueWriter) getOutputs().get(RESULT).getWriter();
      KeyValuesReader words = (KeyValuesReader) getInputs().get(FIRST).getReader();
      while (words.next()) {
        int sum = 0;
        for (Object count : words.getCurrentValues()) {
          sum += ((IntWritable) count).get();
        }
        counts.write(words.getCurrentKey(), new IntWritable(sum));
      }
    }
  }
}
