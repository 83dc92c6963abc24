// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.hottub.it.harness.ControlGroups;
import io.hottub.it.harness.ControlGroups.Limit;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run sees the processors and the memory that the control groups of its container leave it. */
@NeedsHome
@Tag("clones")
class CgroupIT {
  private static final Map<Limit, Long> SMALL =
      Map.of(Limit.PROCESSORS, 50_000L, Limit.MEMORY, 1L << 30);
  private static final Map<Limit, Long> LARGE = Map.of(Limit.PROCESSORS, 200_000L);

  private ControlGroups groups;
  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    groups = ControlGroups.limiting(Limit.PROCESSORS, Limit.MEMORY);
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Limits");
    groups.make("hottub");
  }

  @AfterEach
  void closePool() throws Exception {
    if (pool != null) {
      pool.close();
    }
    if (groups != null) {
      groups.removeAll();
    }
  }

  private String container(String name, Map<Limit, Long> limits) throws IOException {
    String group = groups.make("container_" + name);
    for (Map.Entry<Limit, Long> limit : limits.entrySet()) {
      groups.limit(group, limit.getKey(), limit.getValue());
    }
    return group;
  }

  private Outcome run(Path java, String group) throws Exception {
    String command = groups.joining(group) + "exec \"$0\" -cp \"$1\" Limits";
    return pool.start(
            pool.builder(List.of("sh", "-c", command, java.toString(), classes.toString())))
        .await();
  }

  private Outcome inContainer(String name, Map<Limit, Long> limits) throws Exception {
    String group = container(name, limits);
    Outcome cold = run(Home.COLD_JAVA, group);
    Outcome pooled = run(Home.JAVA, group);
    assertEquals(cold, pooled, name);
    groups.remove(group);
    pool.awaitIdle();
    return pooled;
  }

  @Test
  void seesTheLimitsOfItsOwnContainer() throws Exception {
    Outcome small = inContainer("1", SMALL);
    assertEquals(small, inContainer("2", SMALL));
    Outcome large = inContainer("3", LARGE);
    assertNotEquals(small, large);
    assertEquals(small, inContainer("4", SMALL));
    assertEquals(large, inContainer("5", LARGE));
    inContainer("6", Map.of());
    List<Long> served = pool.servedBy();
    assertEquals(6, served.size(), "pooled runs");
    if (!Pool.CLONES) {
      assertEquals(
          List.of(served.get(0), served.get(0), served.get(2), served.get(0), served.get(2)),
          served.subList(0, 5));
    }
  }
}
