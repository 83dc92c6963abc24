// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Recipes that are made of running containers, and what they leave in the pool. */
public final class Recipes {
  /** The setting of the NodeManager that names their folder. */
  public static final String FOLDER = "yarn.nodemanager.aux-services.hottub.recipes";

  /** The setting for how much of the processors others may use. */
  public static final String CPU_PERCENT =
      "yarn.nodemanager.aux-services.hottub.recipe-cpu-percent";

  /** What loads a trainer that is not on the class path. */
  public static final String RUN_JAR = "org.apache.hadoop.util.RunJar";

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

  /**
   * Makes recipes of the containers of a job until its client ends; of each kind the first that
   * does not end meanwhile.
   *
   * @param recipes gets the texts by the main classes of the containers
   * @param kinds these main classes
   * @param permanent a recipe with what lies in YARN's cache named where it stays
   */
  static void collect(
      Map<String, String> recipes,
      Pool pool,
      ProcessHandle client,
      Set<String> kinds,
      List<String> trainer,
      UnaryOperator<String> permanent)
      throws Exception {
    while (client.isAlive()) {
      for (KeeperState jvm : pool.states()) {
        String main = jvm.mainClass();
        if (jvm.clientPid() != null && kinds.contains(main) && !recipes.containsKey(main)) {
          try {
            recipes.put(main, permanent.apply(of(pool, jvm.clientPid(), trainer)));
          } catch (IOException e) {
            System.out.println("no recipe of " + main + ": " + e.getMessage());
          }
        }
      }
      Thread.sleep(50);
    }
  }

  /**
   * Stops the NodeManager, empties the pool, and says which recipes there are from the next start
   * on.
   *
   * @param folder is made
   * @param recipes their texts by their names
   */
  public static void replace(YarnNode node, Pool pool, Path folder, Map<String, String> recipes)
      throws Exception {
    Files.createDirectory(folder);
    for (Map.Entry<String, String> recipe : recipes.entrySet()) {
      Files.writeString(folder.resolve(recipe.getKey() + ".properties"), recipe.getValue());
    }
    node.nodeManager().kill();
    pool.retireAll();
    node.set(FOLDER, folder.toString());
    // What else happens on the machine that runs the tests is not the node's.
    node.set(CPU_PERCENT, "100");
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
