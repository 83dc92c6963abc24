// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Clients of jobs of MapReduce or Tez on a node, on the distribution's JDK. */
public final class HadoopClients {
  private final Pool pool;
  private final YarnNode node;
  private final List<HadoopJob> jobs = new ArrayList<>();

  public HadoopClients(Pool pool, YarnNode node) {
    this.pool = pool;
    this.node = node;
  }

  /**
   * Starts one.
   *
   * @param classPath of the client, behind the node's configuration
   * @param settings of the job, {@code name=value}
   */
  public HadoopJob submit(String classPath, String main, List<String> settings, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(Home.STOCK_JAVA.toString(), "-Xmx384m"));
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Dlog4j.configuration=file:" + node.dir().resolve("conf/log4j.properties"));
    command.addAll(List.of("-cp", node.dir().resolve("conf") + ":" + classPath, main));
    settings.forEach(setting -> command.add("-D" + setting));
    command.addAll(List.of(arguments));
    Path log = node.dir().resolve("client-" + (jobs.size() + 1) + ".log");
    ProcessBuilder builder = pool.builder(command).directory(node.dir().toFile());
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    HadoopJob job = new HadoopJob(builder.start(), log);
    jobs.add(job);
    return job;
  }

  /** Ends what a test that has failed left running. */
  public void killAll() {
    jobs.forEach(HadoopJob::kill);
  }
}
