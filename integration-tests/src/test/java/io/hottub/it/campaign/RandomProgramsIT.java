// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first programs of the campaign of random programs, in all its modes. */
@NeedsHome
class RandomProgramsIT {
  private static final int PROGRAMS = 50;
  private static final int MINUTES = 60;

  @Test
  void randomProgramsAreAsOnAStockJvm(@TempDir Path folder) throws Exception {
    Path work = folder.toRealPath();
    Path pool = Files.createDirectory(work.resolve("pool"));
    Path stock = Home.STOCK_JAVA.getParent().getParent().toRealPath();
    RandomRuns runs = new RandomRuns(Home.path().toRealPath(), stock, work, pool);
    RandomPrograms programs = new RandomPrograms(runs, work);
    programs.run(1, PROGRAMS, MINUTES);
    assertEquals(Set.of(), programs.wrong(), () -> texts(work));
    assertEquals(RandomRuns.MODES.keySet(), runs.tallies().keySet());
    runs.tallies()
        .forEach(
            (mode, tally) ->
                assertEquals(
                    RandomRuns.VARIANTS.size(), tally.first + tally.later, mode + tally.cold));
    assertEquals(0, runs.left(), "processes");
  }

  private static String texts(Path work) {
    StringBuilder all = new StringBuilder();
    for (int i = 1; Files.exists(work.resolve("different-" + i)); i++) {
      try {
        all.append(Files.readString(work.resolve("different-" + i)));
      } catch (java.io.IOException e) {
        all.append(e);
      }
    }
    return all.toString();
  }
}
