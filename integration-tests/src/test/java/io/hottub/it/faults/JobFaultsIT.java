// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.faults.Fault.Injection;
import io.hottub.it.faults.JobFault.Moment;
import io.hottub.it.faults.RealJobs.Engine;
import io.hottub.it.harness.NeedsHome;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the campaign does to jobs: it takes place, and is noticed where stock JVMs end otherwise.
 */
@NeedsHome
@SuppressWarnings("try") // close waits for others; an interrupt fails the test
@Tag("long")
class JobFaultsIT {
  private static final String KILL = "SIGKILL to a task's pooled JVM";

  @Test
  void aJobEndsAsOnStockJvmsOrIsWrong(@TempDir Path folder) throws Exception {
    try (JobCluster cluster = new JobCluster()) {
      DisturbedJobs jobs = new DisturbedJobs(cluster, folder);
      StockEnds stock = new StockEnds(folder.resolve("stock.tsv"));
      JobFaults faults = new JobFaults(cluster, jobs, stock, 2);
      JobFault kill = JobFaultKinds.all().get(KILL);
      Injection injection =
          faults.compared(kill, Engine.TEZ, Moment.AT_WORK, "clone", new Random(1));
      assertTrue(injection.reached(), injection.toString());
      assertTrue(
          injection
              .end()
              .startsWith("SUCCEEDED, attempt 1; client 0; result right; victim status 137"),
          injection.toString());

      JobFault unnoticed =
          new JobFault(
              KILL,
              kill.family(),
              JobFaultKinds.UNDISTURBED,
              false,
              true,
              1,
              kill.moments(),
              kill.engines(),
              kill.act());
      AssertionError wrong =
          assertThrows(
              AssertionError.class,
              () -> faults.compared(unnoticed, Engine.TEZ, Moment.AT_WORK, "clone", new Random(2)));
      assertTrue(wrong.getMessage().contains("but on stock JVMs"), wrong.getMessage());
      assertEquals(
          List.of("Tez, SIGKILL to a task's process, at work", "Tez, undisturbed, at work"),
          List.copyOf(stock.all().keySet()));
    }
  }
}
