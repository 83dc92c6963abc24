// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.yarn.log.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElectedTurnTest {
  private boolean connected = true;
  private boolean leads;
  private boolean fails;
  private int stood;
  private int withdrawn;
  private long now;
  private ElectedTurn.Elections elections = new Fake();
  private final ElectedTurn turn = new ElectedTurn(() -> elections, () -> now);

  private final class Fake implements ElectedTurn.Elections {
    @Override
    public boolean isConnected() {
      return connected;
    }

    @Override
    public ElectedTurn.Candidacy stand() throws IOException {
      if (fails) {
        throw new IOException("refused");
      }
      stood++;
      return new ElectedTurn.Candidacy() {
        @Override
        public boolean isLeader() {
          return leads;
        }

        @Override
        public void withdraw() throws IOException {
          withdrawn++;
          throw new IOException("is on its way anyway");
        }
      };
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void isThatOfTheLeader() {
    assertFalse(turn.take());
    assertFalse(turn.take());
    leads = true;
    assertTrue(turn.take());
    assertEquals(1, stood);
    turn.giveBack();
    turn.giveBack();
    assertEquals(1, withdrawn);
    assertTrue(turn.take());
    assertEquals(2, stood);
  }

  @Test
  void aFailureThatLastsIsSaidOnce() {
    try (LogLines lines = new LogLines(ElectedTurn.class)) {
      fails = true;
      turn.take();
      turn.take();
      fails = false;
      turn.take();
      turn.take();
      assertEquals(
          List.of(
              "WARN Cannot ask whose turn it is to warm JVMs; without an answer this node has its"
                  + " turn after a while",
              "INFO ZooKeeper tells again whose turn it is to warm JVMs"),
          lines.get());
    }
  }

  @Test
  void endsWhenOthersHaveWaitedForLong() {
    leads = true;
    assertTrue(turn.take());
    pass(ElectedTurn.LONGEST.minusNanos(1));
    assertTrue(turn.take());
    assertEquals(0, withdrawn);
    leads = false;
    pass(Duration.ofNanos(1));
    assertFalse(turn.take());
    assertEquals(1, withdrawn);
    assertEquals(2, stood);
  }

  @Test
  void comesWithoutZooKeeperToo() {
    for (Runnable away :
        new Runnable[] {() -> connected = false, () -> elections = null, () -> fails = true}) {
      connected = true;
      fails = false;
      elections = new Fake();
      assertFalse(turn.take());
      away.run();
      turn.giveBack();
      assertFalse(turn.take());
      pass(ElectedTurn.PATIENCE.minusNanos(1));
      assertFalse(turn.take());
      pass(Duration.ofNanos(1));
      assertTrue(turn.take());
    }
  }

  @Test
  void isAskedForAgainInANewSession() {
    leads = true;
    assertTrue(turn.take());
    elections = new Fake();
    leads = false;
    assertFalse(turn.take());
    assertEquals(2, stood);
    assertEquals(1, withdrawn);
  }
}
