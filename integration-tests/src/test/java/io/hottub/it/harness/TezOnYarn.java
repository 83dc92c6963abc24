// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;

/** Applications of Tez, with its own examples. */
public abstract class TezOnYarn extends JobsOnYarn {
  @Override
  protected String engine() {
    return "tez";
  }

  @Override
  protected String master() {
    return "org.apache.tez.dag.app.DAGAppMaster";
  }

  @Override
  protected String task() {
    return "org.apache.tez.runtime.task.TezChild";
  }

  @Override
  protected String trainer() {
    return "io.hottub.tez.Trainer";
  }

  @Override
  protected String permanent(String recipe) {
    return recipe.replaceAll("[^:= ]*/filecache/[0-9]+/tez[.]zip/", jars + "/");
  }

  @Override
  protected void configure(YarnNode node) throws Exception {
    Path libraries = node.dir().resolve("tez.zip");
    int status =
        ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(System.out, System.err, "-c0Mf", libraries.toString(), "-C", jars.toString(), ".");
    assertEquals(0, status, "the archive of Tez is made");
    node.set(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        "io.hottub.quickstart.LocalShuffle");
    node.set("tez.lib.uris", libraries.toUri().toString());
    node.set("tez.staging-dir", node.dir().resolve("staging").toString());
    // Without options of its own the master's web pages do not get along with a JDK 17.
    node.set("tez.am.tez-ui.webservice.enable", "false");
    node.set("tez.am.resource.memory.mb", "768");
    node.set("tez.task.resource.memory.mb", "512");
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
}
