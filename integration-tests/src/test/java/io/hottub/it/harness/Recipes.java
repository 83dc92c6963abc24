// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.hottub.protocol.JvmState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Recipes that are made of running containers, and what they leave in the pool. */
public final class Recipes {
  /** The setting of the NodeManager that names their folder. */
  public static final String FOLDER = "yarn.nodemanager.aux-services.hottub.recipes";

  /** The setting for how much of the processors others may use. */
  public static final String CPU_PERCENT =
      "yarn.nodemanager.aux-services.hottub.recipe-cpu-percent";

  private static final Pattern FAILED = Pattern.compile("The recipe \\w+ failed");

  private Recipes() {}

  /**
   * What {@code hottub recipe} makes of a running client.
   *
   * @param trainer main class that trains, and its arguments
   * @throws IOException if it could make none, since the client has ended for one
   */
  public static String of(Pool pool, long client, List<String> trainer) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                Daemon.classPath(),
                "io.hottub.protocol.cli.Main",
                "recipe",
                Long.toString(client)));
    command.addAll(trainer);
    Outcome outcome = pool.start(pool.builder(command)).await();
    if (outcome.status() != 0) {
      throw new IOException(outcome.toString());
    }
    return outcome.out();
  }

  /** Until recipes have made so many idle JVMs of so many runs each; none of them may fail. */
  public static void awaitTrained(YarnNode node, Pool pool, int jvms, int runs, Duration longest)
      throws Exception {
    Path log = node.dir().resolve("NodeManager.log");
    Await.until(
        jvms + " JVMs are trained",
        longest,
        () -> {
          String text = Files.readString(log);
          assertFalse(FAILED.matcher(text).find(), () -> text + pool.logs());
          return pool.states().stream()
                  .filter(jvm -> jvm.state() == JvmState.IDLE && jvm.run() == runs)
                  .count()
              == jvms;
        });
  }
}
