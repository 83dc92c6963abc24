// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What pooled runs are compared with, and what they fall back to: the distribution's own JVM. */
@NeedsHome
class ReferenceIT {
  private Pool pool;
  private List<String> waits;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Path classes = Programs.compile(pool.work().resolve("classes"), "Waits");
    waits = List.of("-cp", classes.toString(), "Waits");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private static Set<Path> jvmsMapped(long pid) throws IOException {
    try (Stream<String> maps = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
      return maps.filter(line -> line.endsWith("/libjvm.so"))
          .map(line -> Path.of(line.substring(line.indexOf('/'))))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void end(Run run) throws Exception {
    run.signal("KILL");
    assertEquals(137, run.await().status());
  }

  @Test
  void coldRunsMapTheJvmOfTheDistributionOnly() throws Exception {
    Path jvm = Home.STOCK_JAVA.toRealPath().getParent().resolveSibling("lib/server/libjvm.so");
    List<String> option = new ArrayList<>(List.of("-XX:+UseZGC"));
    option.addAll(waits);
    ProcessBuilder off = pool.builder(Pool.command(Home.JAVA, waits));
    off.environment().put("HOTTUB", "off");
    for (ProcessBuilder cold :
        List.of(
            pool.builder(Pool.command(Home.STOCK_JAVA, waits)),
            pool.builder(Pool.command(Home.COLD_JAVA, waits)),
            pool.builder(Pool.command(Home.JAVA, option)),
            off)) {
      Run run = pool.start(cold).awaitOut("waiting");
      Set<Path> mapped = jvmsMapped(run.pid());
      assertEquals(1, mapped.size(), () -> cold.command() + " maps " + mapped);
      assertEquals(-1, Files.mismatch(jvm, mapped.iterator().next()), mapped::toString);
      end(run);
    }
  }

  @Test
  void pooledRunsMapOurs() throws Exception {
    Run run = pool.start(pool.builder(Pool.command(Home.JAVA, waits))).awaitOut("waiting");
    Run.await("it is traced", () -> pool.servedBy().size() == 1);
    Path ours = Home.path().toRealPath().resolve("lib/hottub/libjvm.so");
    assertEquals(Set.of(ours), jvmsMapped(pool.servedLast()), pool::logs);
    end(run);
  }
}
