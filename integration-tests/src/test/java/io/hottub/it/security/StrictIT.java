// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Isolation strict: runs in copies of JVMs in which nothing has run but recipes. */
@NeedsHome
class StrictIT {
  private static final int RUNS = 4;

  private static final String SECRET = "recipe-5ec2e7-0123456789-abcdefgh-1";

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Small", "Secrets");
    limits(1);
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private void limits(int trainingRuns) throws Exception {
    Files.writeString(
        pool.userFolder().resolve("limits"),
        "isolation strict\ntraining_runs " + trainingRuns + "\n");
  }

  private ProcessBuilder program(Path java, String name) {
    return pool.builder(Pool.command(java, List.of("-cp", classes.toString(), name)));
  }

  private Outcome run(String name) throws Exception {
    return pool.start(program(Home.JAVA, name)).await();
  }

  private Outcome train(String name) throws Exception {
    ProcessBuilder builder = program(Home.JAVA, name);
    builder.environment().put("HOTTUB_TRAINING", "1");
    builder.environment().put("SECRET", SECRET);
    return pool.start(builder).await();
  }

  private List<KeeperState> templates() throws Exception {
    return pool.states().stream().filter(jvm -> jvm.state() == JvmState.TEMPLATE).toList();
  }

  private void awaitTemplate() throws Exception {
    pool.awaitIdle();
    Run.await("there is a template", () -> templates().size() == 1);
    pool.awaitIdle();
  }

  private String lastLine() throws Exception {
    List<String> lines = Files.readAllLines(pool.trace());
    return lines.get(lines.size() - 1);
  }

  private void assertUntrained(String what) throws Exception {
    assertTrue(lastLine().contains("\"reason\":\"untrained\""), () -> what + pool.logs());
  }

  @Test
  void withoutATemplateRunsAreColdAndTrainNothing() throws Exception {
    Outcome stock = pool.start(program(Home.STOCK_JAVA, "Small")).await();
    for (int i = 0; i < 2; i++) {
      assertEquals(stock, run("Small"));
      assertUntrained("run " + i);
      assertEquals(List.of(), pool.sockets());
    }
  }

  @Test
  void everyRunIsACopyOfWhatARecipeHasTrained() throws Exception {
    Outcome stock = pool.start(program(Home.STOCK_JAVA, "Small")).await();
    assertEquals(stock, train("Small"));
    awaitTemplate();
    List<Long> jvms = new ArrayList<>(List.of(templates().get(0).jvmPid()));
    for (int i = 0; i < RUNS; i++) {
      assertEquals(stock, run("Small"));
      assertTrue(lastLine().contains("\"isolation\":\"strict\",\"warm\":true"), () -> pool.logs());
      jvms.add(pool.servedLast());
      pool.awaitIdle();
    }
    assertEquals(jvms.size(), new HashSet<>(jvms).size(), "processes");
    assertEquals(1, templates().get(0).run(), "runs in the template");
  }

  /** Whatever a client does: the keeper refuses it. */
  @Test
  void aJvmInTrainingServesNothingButRecipes() throws Exception {
    limits(30);
    train("Small");
    pool.awaitIdle();
    long trained = pool.servedLast();
    for (int i = 0; i < 2; i++) {
      assertEquals(0, run("Small").status());
      assertUntrained("run " + i);
    }
    train("Small");
    assertEquals(trained, pool.servedLast());
    assertTrue(lastLine().endsWith("\"run\":2}"), "no run between those of recipes" + lastLine());
  }

  @Test
  void secretsOfRecipesAreInNoCopy() throws Exception {
    assertEquals(new Outcome(0, "planted\n", ""), train("Secrets"));
    awaitTemplate();
    assertFalse(pool.states().isEmpty());
    for (KeeperState jvm : pool.states()) {
      assertEquals(List.of(), new ProcessMemory(jvm.jvmPid()).find(SECRET), () -> "" + jvm);
    }
  }
}
