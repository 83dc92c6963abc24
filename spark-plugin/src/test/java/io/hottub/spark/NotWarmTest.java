// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NotWarmTest {
  private static final int NEVER = Integer.MAX_VALUE;
  private static final String DEBUG =
      "The reason is debug (the command line asks for debugging; what to do: leave the option away"
          + " where it is not needed)";

  private final BlockingQueue<String> complaints = new LinkedBlockingQueue<>();
  private final List<String> told = new ArrayList<>();
  private NotWarm notWarm = new NotWarm(complaints::add, told::add, NEVER);

  @AfterEach
  void close() {
    notWarm.close();
  }

  private List<String> complained() {
    notWarm.close();
    return List.copyOf(complaints);
  }

  @Test
  void aReasonIsSaidOnceWithAllThatItConcerns() {
    notWarm.add("driver", Served.cold("debug"));
    notWarm.add("executor.1", Served.cold("pool-full"));
    notWarm.add("executor.2", Served.cold("debug"));
    assertEquals(List.of(), List.copyOf(complaints), "others may follow");
    List<String> lines = complained();
    assertEquals(2, lines.size(), lines.toString());
    assertEquals(
        "HotTub is asked for, and these are cold: driver, executor.2. " + DEBUG, lines.get(0));
    assertEquals(
        "HotTub is asked for, and these are cold: executor.1. The reason is pool-full (max-jvms,",
        lines.get(1).substring(0, 87));
    assertEquals(List.of(), told);
  }

  @Test
  void whoeverFollowsWithAReasonThatWasSaidIsNotSaid() throws Exception {
    notWarm.close();
    notWarm = new NotWarm(complaints::add, told::add, 0);
    notWarm.add("executor.1", Served.cold("debug"));
    assertEquals(
        "HotTub is asked for, and these are cold: executor.1. " + DEBUG,
        complaints.poll(10, TimeUnit.SECONDS));
    notWarm.add("executor.2", Served.cold("debug"));
    assertEquals(List.of(), complained());
  }

  @Test
  void manyAreCounted() {
    for (int i = 1; i <= 300; i++) {
      notWarm.add("executor." + i, Served.cold("of-another-version"));
    }
    assertEquals(
        List.of(
            "HotTub is asked for, and these are cold: executor.1, executor.2, executor.3,"
                + " executor.4, executor.5 and 295 more. The reason is of-another-version"),
        complained());
  }

  @Test
  void aFirstRunIsNoComplaint() {
    notWarm.add("driver", Served.byNewJvm("newly started"));
    notWarm.add("executor.1", Served.byNewJvm("newly started"));
    assertEquals(List.of(), complained());
    assertEquals(
        List.of(
            "HotTub started a JVM for the pool for each of these, as for every first run of its"
                + " kind; the next run finds it warm: driver, executor.1"),
        told);
  }

  @Test
  void nothingIsSaidOfWarmJvms() {
    notWarm.add("driver", Served.byPool("warm"));
    assertEquals(List.of(), complained());
    assertEquals(List.of(), told);
  }

  @Test
  void nothingIsSaidAfterTheEnd() {
    notWarm.close();
    notWarm.add("driver", Served.cold("debug"));
    assertEquals(List.of(), complained());
  }
}
