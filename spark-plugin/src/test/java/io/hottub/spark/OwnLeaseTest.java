// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnLeaseTest {
  private static final long PID = 4711;
  private static final long STARTED_MS = 100_000;

  @TempDir Path folder;
  private PoolDirectory pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = PoolDirectory.at(folder.resolve("p"));
    pool.create();
  }

  private void journal(String... lines) throws IOException {
    Files.write(
        pool.userFolder().resolve("journal"),
        List.of(lines),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static String warm(long client, int run) {
    return """
        {"at_ms":100500,"event":"run","client_pid":%d,"main_class":"Job","served":"pool",\
        "jvm_pid":9,"lease_us":2940,"fingerprint":"f00","run":%d}"""
        .formatted(client, run);
  }

  private static String reset(int run, long cpuUs) {
    return """
        {"at_ms":1,"event":"reset","fingerprint":"f00","main_class":"Job","run":%d,"cpu_us":%d,\
        "phases":{"a_us":1}}"""
        .formatted(run, cpuUs);
  }

  private Optional<Served> describe() throws IOException {
    return new OwnLease(pool, PID, STARTED_MS).describe();
  }

  private static Served warm(String text) {
    return Served.byPool("warm, lease 7 of JVM 9, handed over in 2.9 ms" + text);
  }

  @Test
  void nothingIsKnownWithoutAJournalOrARecord() throws Exception {
    assertEquals(Optional.empty(), describe());
    journal(warm(815, 7), "damaged " + PID + " \"event\":\"run\"");
    assertEquals(Optional.empty(), describe());
  }

  @Test
  void theLastLeaseOfTheProcessCounts() throws Exception {
    journal(warm(PID, 1), warm(PID, 7), warm(815, 9));
    assertEquals(Optional.of(warm("")), describe());
  }

  @Test
  void aJvmThatWasStartedForTheRunIsNotWarm() throws Exception {
    journal(warm(PID, 1));
    assertEquals(
        Optional.of(Served.byNewJvm("newly started, lease 1 of JVM 9, handed over in 2.9 ms")),
        describe());
  }

  @Test
  void theFirstRunOfACloneIsWarm() throws Exception {
    journal(warm(PID, 1).replace("\"run\":", "\"isolation\":\"clone\",\"warm\":true,\"run\":"));
    assertEquals(Optional.of(Served.byPool("warm, clone 9, handed over in 2.9 ms")), describe());
  }

  @Test
  void coldRunsHaveAReason() throws Exception {
    String cold =
        "{\"at_ms\":%d,\"event\":\"run\",\"client_pid\":4711,\"served\":\"cold\",\"reason\":\"log\"}";
    journal(cold.formatted(98_000));
    assertEquals(Optional.empty(), describe(), "of another process with that number");
    journal(cold.formatted(STARTED_MS));
    assertEquals(Optional.of(Served.cold("log")), describe());
  }

  @Test
  void theJournalTellsWhatLeasesBeforeHaveSaved() throws Exception {
    journal(reset(1, 5_000_000), reset(2, 900_000), reset(3, 1_100_000), reset(4, 1_000_000));
    journal(reset(5, 1).replace("Job", "Other"), warm(PID, 7));
    assertEquals(
        warm(", warm-up saved: 4.0 s of CPU in the median of leases before"),
        describe().orElseThrow());
  }

  @Test
  void endsOfClonesTellWhatTheySave() throws Exception {
    String clone = reset(1, 1_000_000).replace("reset", "retired");
    journal(reset(1, 5_000_000), clone, clone, warm(PID, 7));
    assertEquals(
        warm(", warm-up saved: 4.0 s of CPU in the median of leases before"),
        describe().orElseThrow());
  }

  @Test
  void nothingSavedIsNotShown() throws Exception {
    journal(reset(1, 900_000), reset(2, 1_000_000), warm(PID, 7));
    assertEquals(warm(""), describe().orElseThrow());
  }
}
