// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.tez;

import java.io.IOException;
import java.nio.file.Path;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.Edge;
import org.apache.tez.dag.api.EdgeProperty;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.mapreduce.input.MRInput;
import org.apache.tez.mapreduce.output.MROutput;
import org.apache.tez.mapreduce.processor.SimpleMRProcessor;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.library.api.KeyValueReader;
import org.apache.tez.runtime.library.api.KeyValueWriter;
import org.apache.tez.runtime.library.api.KeyValuesReader;
import org.apache.tez.runtime.library.conf.OrderedPartitionedKVEdgeConfig;
import org.apache.tez.runtime.library.partitioner.HashPartitioner;

/** Counts words, and sorts them by their counts: three vertices, with sorted edges between. */
final class WordCount {
  private static final String INPUT = "words";
  private static final String READ = "read";
  private static final String COUNT = "count";
  private static final String SORT = "sort";
  private static final String OUTPUT = "counted";

  private final TezConfiguration conf;
  private final Path words;
  private final Path output;

  WordCount(TezConfiguration conf, Path words, Path output) {
    this.conf = conf;
    this.words = words;
    this.output = output;
  }

  DAG graph() {
    Vertex read = Vertex.create(READ, ProcessorDescriptor.create(Read.class.getName()));
    read.addDataSource(
        INPUT,
        MRInput.createConfigBuilder(
                new Configuration(conf), TextInputFormat.class, words.toString())
            .groupSplits(false)
            .build());
    Vertex count = Vertex.create(COUNT, ProcessorDescriptor.create(Count.class.getName()), 2);
    Vertex sort = Vertex.create(SORT, ProcessorDescriptor.create(Sort.class.getName()), 1);
    sort.addDataSink(
        OUTPUT,
        MROutput.createConfigBuilder(
                new Configuration(conf), TextOutputFormat.class, output.toString())
            .build());
    return DAG.create("word count")
        .addVertex(read)
        .addVertex(count)
        .addVertex(sort)
        .addEdge(Edge.create(read, count, edge(Text.class, IntWritable.class)))
        .addEdge(Edge.create(count, sort, edge(IntWritable.class, Text.class)));
  }

  private EdgeProperty edge(Class<?> key, Class<?> value) {
    return OrderedPartitionedKVEdgeConfig.newBuilder(
            key.getName(), value.getName(), HashPartitioner.class.getName())
        .setFromConfiguration(conf)
        .build()
        .createDefaultEdgeProperty();
  }

  /** Makes words of lines. */
  public static final class Read extends SimpleMRProcessor {
    private static final IntWritable ONE = new IntWritable(1);

    public Read(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      KeyValueReader lines = (KeyValueReader) getInputs().get(INPUT).getReader();
      KeyValueWriter out = (KeyValueWriter) getOutputs().get(COUNT).getWriter();
      Text word = new Text();
      while (lines.next()) {
        StringTokenizer words = new StringTokenizer(lines.getCurrentValue().toString());
        while (words.hasMoreTokens()) {
          word.set(words.nextToken());
          out.write(word, ONE);
        }
      }
    }
  }

  /** Sums up. */
  public static final class Count extends SimpleMRProcessor {
    public Count(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      KeyValuesReader words = (KeyValuesReader) getInputs().get(READ).getReader();
      KeyValueWriter out = (KeyValueWriter) getOutputs().get(SORT).getWriter();
      while (words.next()) {
        out.write(new IntWritable(sum(words)), words.getCurrentKey());
      }
    }

    private static int sum(KeyValuesReader words) throws IOException {
      int sum = 0;
      for (Object count : words.getCurrentValues()) {
        sum += ((IntWritable) count).get();
      }
      return sum;
    }
  }

  /** Writes what the edge has sorted. */
  public static final class Sort extends SimpleMRProcessor {
    public Sort(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      KeyValuesReader counts = (KeyValuesReader) getInputs().get(COUNT).getReader();
      KeyValueWriter out = (KeyValueWriter) getOutputs().get(OUTPUT).getWriter();
      while (counts.next()) {
        for (Object word : counts.getCurrentValues()) {
          out.write(word, counts.getCurrentKey());
        }
      }
    }
  }
}
