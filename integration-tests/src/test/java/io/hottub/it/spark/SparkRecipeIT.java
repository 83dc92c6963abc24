// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recipes that are made of a running application, and train its JVMs before the next one. */
@NeedsHome
@Tag("long")
class SparkRecipeIT extends SparkOnYarn {
  private static final String SERVICE = "yarn.nodemanager.aux-services.hottub.";

  /** At the lowest priority, on a machine that has more to do. */
  private static final Duration TRAINED = Duration.ofMinutes(16);

  @Override
  protected String version() {
    return "3";
  }

  @Test
  void anExecutorOfTheFirstApplicationIsWarm() throws Exception {
    Path folder = folder();
    SparkRun run = submit(true, "client", "wait", folder.toString());
    String recipe = recipe(clientOf(process(folder, "0")));
    process(folder, "1");
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());

    // A node that has just started.
    node.nodeManager().kill();
    pool.retireAll();
    Path recipes = Files.createDirectory(pool.work().resolve("recipes"));
    Files.writeString(
        recipes.resolve("executor.properties"), recipe + "runs = 1\ndeadline-seconds = 900\n");
    node.set(SERVICE + "recipes", recipes.toString());
    // What else happens on the machine that runs the tests is not the node's.
    node.set(SERVICE + "recipe-cpu-percent", "100");
    // While that JVM serves, no other one is trained, which takes minutes on a busy machine.
    node.set(SERVICE + "max-jvms", "1");
    node.startNodeManager();
    awaitTrained(1, 1, TRAINED);

    String output = Files.readString(pool.userFolder().resolve("recipes/executor.log"));
    assertTrue(output.contains("trainer: statement 9 of 9"), output);

    int former = journalled();
    assertEquals(SUMS, sums(true, "client"));
    assertEquals(
        1, Collections.frequency(served(former), EXECUTOR + " warm"), served(former).toString());
  }
}
