// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Where the attempts of a job of the program {@code TezJob} say that they run, and wait until the
 * test lets them go on. An attempt is VERTEX-TASK-NUMBER, as {@code second-0-1}.
 */
public final class TezGates {
  private static final String OPEN = ".go";
  private final Path folder;

  TezGates(Path folder) throws IOException {
    this.folder = Files.createDirectory(folder);
  }

  Path folder() {
    return folder;
  }

  /** Lets an attempt go on, all of a task, or all of a vertex, whether they are there or not. */
  public void open(String... names) throws IOException {
    for (String name : names) {
      Files.createFile(folder.resolve(name + OPEN));
    }
  }

  /** Waits until an attempt runs, and returns its container. */
  public ContainerId await(String attempt) throws Exception {
    Await.until(attempt + " runs", HadoopJob.LONGEST, () -> Files.exists(folder.resolve(attempt)));
    return ContainerId.fromString(Files.readString(folder.resolve(attempt)));
  }

  /** Waits until a session has its containers warmed. */
  public void awaitWarmed() throws Exception {
    Await.until(
        "containers are warmed", HadoopJob.LONGEST, () -> Files.exists(folder.resolve("warmed")));
  }

  /** Every attempt that has run so far, in order. */
  public List<String> attempts() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("[a-z]+-[0-9]+-[0-9]+"))
          .sorted()
          .toList();
    }
  }
}
