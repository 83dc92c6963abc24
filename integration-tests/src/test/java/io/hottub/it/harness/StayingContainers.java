// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** Containers of a master, in which a program stays until something ends it. */
public final class StayingContainers {
  private final Pool pool;
  private final YarnNode node;
  private final Path classes;
  private int count;

  public StayingContainers(Pool pool, YarnNode node) throws Exception {
    this.pool = pool;
    this.node = node;
    this.classes = Programs.compile(pool.work().resolve("classes"), "Stays");
  }

  /** A container and the file that its shutdown hook makes. */
  public record Stay(ContainerId container, Path hook) {
    public boolean hookHasRun() {
      return Files.exists(hook);
    }
  }

  /** Starts a container and waits until its program runs. */
  public Stay start(Master master, boolean pooled, String mode) throws Exception {
    return start(master, Home.path(), pooled, mode);
  }

  public Stay start(Master master, Path home, boolean pooled, String mode) throws Exception {
    count++;
    Path started = pool.work().resolve("stay-" + count);
    Path hook = pool.work().resolve("hook-" + count);
    ContainerId container =
        master.start(
            mode.equals("greedy") ? 384 : 256,
            Map.of(
                "JAVA_HOME", home.toString(),
                "HOTTUB", pooled ? "on" : "off",
                "HOTTUB_TRACE", pool.trace().toString()),
            Map.of(),
            "$JAVA_HOME/bin/java -Xmx700m -cp %s Stays %s %s %s"
                .formatted(classes, started, hook, mode));
    Await.until(container + " runs", () -> Files.exists(started));
    return new Stay(container, hook);
  }

  /**
   * Waits until the NodeManager has seen the end of a container's process, and returns its status.
   */
  public int awaitExitCode(Stay stay) throws Exception {
    Pattern line =
        Pattern.compile("Exit code from container " + stay.container() + " is : (\\d+)\\s");
    Path log = node.dir().resolve("NodeManager.log");
    int[] code = new int[1];
    Await.until(
        stay.container() + " ends",
        () -> {
          Matcher matcher = line.matcher(Files.readString(log));
          if (!matcher.find()) {
            return false;
          }
          code[0] = Integer.parseInt(matcher.group(1));
          return true;
        });
    return code[0];
  }
}
