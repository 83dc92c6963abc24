// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.SparkRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The newest Spark 3, and the loss of an executor; {@link SparkEndsIT} has other ends. */
@NeedsHome
class SparkIT extends SparkJobs {
  @Override
  protected String version() {
    return "3";
  }

  private List<String> executorIsKilled(boolean pooled) throws Exception {
    Path folder = folder();
    SparkRun run = waiting(pooled, "client", folder);
    assertTrue(clientOf(process(folder, "0")).destroyForcibly());
    // A task that ended in the moments in between would hide the loss.
    Await.until(
        "the driver has lost an executor",
        SparkRun.LONGEST,
        () -> run.log().contains("Lost executor"));
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());
    assertEquals("[10, 20]", Files.readString(folder.resolve("result")));
    return run.losses();
  }

  @Tag("long")
  @Test
  void aKilledExecutorIsReplaced() throws Exception {
    List<String> stock = executorIsKilled(false);
    assertTrue(stock.toString().contains("ExecutorLostFailure"), stock.toString());
    assertTrue(stock.toString().contains("Exit status: 137"), stock.toString());
    assertEquals(stock, executorIsKilled(true));
    assertPoolServesOn();
  }
}
