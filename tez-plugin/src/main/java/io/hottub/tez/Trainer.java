// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.tez;

import io.hottub.trainers.ContainerLog;
import io.hottub.trainers.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.tez.client.TezClient;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.api.client.StatusGetOpts;

/**
 * Main class of recipes for Tez's JVMs: a session in Tez's local mode, in which this process is
 * application master and container in one, with graphs that sort, combine, compress, join and
 * broadcast. All happens in this process and below its working directory.
 */
public final class Trainer {
  private Trainer() {}

  /** Once through all graphs; more is what {@code runs} of the recipe is for. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "trainer");
    ContainerLog.into(folder, "tez-container-log4j.properties");
    Path words = Words.write(folder.resolve("words"));
    TezConfiguration conf = configuration(folder);
    TezClient session = TezClient.create("trainer", conf, true);
    session.start();
    try {
      List<DAG> graphs =
          List.of(
              new WordCount(conf, words, folder.resolve("counted")).graph(),
              new BroadcastJoin(conf, words, folder.resolve("joined")).graph());
      for (int i = 0; i < graphs.size(); i++) {
        long start = System.nanoTime();
        run(session, graphs.get(i));
        System.out.printf(
            "trainer: graph %d of %d, %d ms%n",
            i + 1, graphs.size(), (System.nanoTime() - start) / 1_000_000);
      }
    } finally {
      session.stop();
    }
  }

  private static TezConfiguration configuration(Path folder) {
    TezConfiguration conf = new TezConfiguration();
    conf.setBoolean(TezConfiguration.TEZ_LOCAL_MODE, true);
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set(TezConfiguration.TEZ_AM_STAGING_DIR, folder.resolve("staging").toString());
    conf.setInt(TezConfiguration.TEZ_AM_INLINE_TASK_EXECUTION_MAX_TASKS, 2);
    conf.setBoolean(TezConfiguration.TEZ_AM_WEBSERVICE_ENABLE, false);
    conf.setInt(TezConfiguration.TEZ_AM_TASK_MAX_FAILED_ATTEMPTS, 1);
    conf.setInt("tez.runtime.io.sort.mb", 16);
    conf.setBoolean("tez.runtime.optimize.local.fetch", true);
    return conf;
  }

  private static void run(TezClient session, DAG graph)
      throws IOException, InterruptedException, TezException {
    session.waitTillReady();
    DAGStatus status =
        session
            .submitDAG(graph)
            .waitForCompletionWithStatusUpdates(EnumSet.noneOf(StatusGetOpts.class));
    if (status.getState() != DAGStatus.State.SUCCEEDED) {
      throw new IOException(graph.getName() + " ended as " + status);
    }
  }
}
