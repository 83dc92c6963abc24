// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.Isolation;
import io.hottub.protocol.PoolLimits;
import io.hottub.protocol.PoolMarks;
import io.hottub.yarn.config.IsolationPolicy;
import io.hottub.yarn.log.LogLines;
import io.hottub.yarn.pool.MemoryPressure;
import io.hottub.yarn.pool.MockPool;
import io.hottub.yarn.pool.PolicyLimits;
import io.hottub.yarn.pool.PoolPolicy;
import io.hottub.yarn.pool.PoolScanner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What recipes do to JVMs, RecipesIT tells. */
class RecipeRunnerTest {
  /** A turn that is given back has ended without trouble. */
  private static final class Turns implements WarmingTurn {
    private final CountDownLatch givenBack = new CountDownLatch(2);

    @Override
    public boolean take() {
      return false;
    }

    @Override
    public void giveBack() {
      givenBack.countDown();
    }
  }

  @Test
  void aPoolThatCannotBeLookedAtIsSaidOnce() throws Exception {
    try (MockPool jvms = new MockPool();
        LogLines lines = new LogLines(RecipeRunner.class)) {
      Path root = jvms.temp.pool().root();
      Path user = jvms.temp.pool().userFolder();
      Files.writeString(root.resolve("stat"), "cpu  0 0 0 100 0 0 0 0 0 0\n");
      Files.writeString(root.resolve("meminfo"), "MemTotal: 1 kB\n");
      PolicyLimits limits =
          new PolicyLimits(new PoolLimits(9, 9, 900, 1000, 1 << 20), 9, 0, 86_400);
      MetricRegistry registry = new MetricRegistry();
      Turns turns = new Turns();
      MemoryPressure pressure = new MemoryPressure(root.resolve("none"), 10);
      Files.setAttribute(user, "unix:mode", 0755);
      try (RecipeRunner runner =
          new RecipeRunner(
              new RecipeSchedule(List.of(), limits, fingerprint -> false, System::nanoTime),
              new RecipeRun.Place(
                  root, root, root, null, new IsolationPolicy(Isolation.REUSE, Map.of())),
              new PoolScanner(jvms.temp.pool()),
              new PoolMarks(jvms.temp.pool()),
              () -> new PoolPolicy.Room(Long.MAX_VALUE, false),
              turns,
              new NodeLoad(root, pressure, 100),
              Duration.ofMillis(10),
              registry)) {
        runner.start();
        for (int i = 0; i < 1000 && registry.counter("pool.failures").getCount() < 4; i++) {
          Thread.sleep(10);
        }
        Files.setAttribute(user, "unix:mode", 0700);
        turns.givenBack.await(10, TimeUnit.SECONDS);
      }
      assertEquals(
          List.of(
              "WARN Cannot look after the recipes; trying again at every turn",
              "INFO The recipes are looked after again"),
          lines.get().stream().filter(line -> line.matches(".* look(ed)? after .*")).toList());
    }
  }
}
