// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.tez;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.Edge;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.mapreduce.input.MRInput;
import org.apache.tez.mapreduce.output.MROutput;
import org.apache.tez.mapreduce.processor.SimpleMRProcessor;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.library.api.KeyValueReader;
import org.apache.tez.runtime.library.api.KeyValueWriter;
import org.apache.tez.runtime.library.conf.UnorderedKVEdgeConfig;
import org.apache.tez.runtime.library.conf.UnorderedPartitionedKVEdgeConfig;
import org.apache.tez.runtime.library.partitioner.HashPartitioner;

/** Joins lines by a hash table that one vertex broadcasts, with edges that do not sort. */
final class BroadcastJoin {
  private static final String FEW = "few";
  private static final String MANY = "many";
  private static final String JOIN = "join";
  private static final String INPUT = "lines";
  private static final String OUTPUT = "joined";

  private final TezConfiguration conf;
  private final Path lines;
  private final Path output;

  BroadcastJoin(TezConfiguration conf, Path lines, Path output) {
    this.conf = conf;
    this.lines = lines;
    this.output = output;
  }

  DAG graph() {
    Vertex few = reader(FEW, lines.resolve("1"));
    Vertex many = reader(MANY, lines);
    Vertex join = Vertex.create(JOIN, ProcessorDescriptor.create(Join.class.getName()), 2);
    join.addDataSink(
        OUTPUT,
        MROutput.createConfigBuilder(
                new Configuration(conf), TextOutputFormat.class, output.toString())
            .build());
    UnorderedKVEdgeConfig broadcast =
        UnorderedKVEdgeConfig.newBuilder(Text.class.getName(), NullWritable.class.getName())
            .setFromConfiguration(conf)
            .build();
    UnorderedPartitionedKVEdgeConfig partitioned =
        UnorderedPartitionedKVEdgeConfig.newBuilder(
                Text.class.getName(), NullWritable.class.getName(), HashPartitioner.class.getName())
            .setFromConfiguration(conf)
            .build();
    return DAG.create("broadcast join")
        .addVertex(few)
        .addVertex(many)
        .addVertex(join)
        .addEdge(Edge.create(few, join, broadcast.createDefaultBroadcastEdgeProperty()))
        .addEdge(Edge.create(many, join, partitioned.createDefaultEdgeProperty()));
  }

  private Vertex reader(String name, Path input) {
    return Vertex.create(name, ProcessorDescriptor.create(Read.class.getName()))
        .addDataSource(
            INPUT,
            MRInput.createConfigBuilder(
                    new Configuration(conf), TextInputFormat.class, input.toString())
                .groupSplits(false)
                .build());
  }

  /** Hands lines on. */
  public static final class Read extends SimpleMRProcessor {
    public Read(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      KeyValueReader lines = (KeyValueReader) getInputs().get(INPUT).getReader();
      KeyValueWriter out = (KeyValueWriter) getOutputs().get(JOIN).getWriter();
      while (lines.next()) {
        out.write(lines.getCurrentValue(), NullWritable.get());
      }
    }
  }

  /** Lines of many that are among few. */
  public static final class Join extends SimpleMRProcessor {
    public Join(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      KeyValueReader few = (KeyValueReader) getInputs().get(FEW).getReader();
      Set<Text> table = new HashSet<>();
      while (few.next()) {
        table.add(new Text((Text) few.getCurrentKey()));
      }
      KeyValueReader many = (KeyValueReader) getInputs().get(MANY).getReader();
      KeyValueWriter out = (KeyValueWriter) getOutputs().get(OUTPUT).getWriter();
      while (many.next()) {
        if (table.contains(many.getCurrentKey())) {
          out.write(many.getCurrentKey(), NullWritable.get());
        }
      }
    }
  }
}
