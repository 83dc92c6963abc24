// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.yarn.log.Trouble;
import io.hottub.yarn.recipes.WarmingTurn;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A turn that only so many nodes of the cluster have at the same time: the leaders of as many
 * elections. All nodes lose their JVMs at once when HotTub or the JDK is upgraded. Whoever cannot
 * ask ZooKeeper takes its turn after a while.
 */
final class ElectedTurn implements WarmingTurn {
  private static final Logger LOG = LoggerFactory.getLogger(ElectedTurn.class);

  /** For one turn; then the others come first. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  /** Without ZooKeeper. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Supplier<Elections> elections;
  private final LongSupplier nanoTime;
  private final Trouble unasked =
      new Trouble(
          LOG,
          "Cannot ask whose turn it is to warm JVMs; without an answer this node has its turn after a"
              + " while",
          "ZooKeeper tells again whose turn it is to warm JVMs");

  private Elections asked;
  private Candidacy candidacy;
  private Long leaderSince;
  private Long aloneSince;

  /** Where a node can stand for election. */
  interface Elections {
    boolean isConnected();

    Candidacy stand() throws Exception;
  }

  /** The wish to be the leader. */
  interface Candidacy {
    boolean isLeader();

    void withdraw() throws Exception;
  }

  /**
   * @param elections null as long as there is no connection
   */
  ElectedTurn(Supplier<Elections> elections, LongSupplier nanoTime) {
    this.elections = elections;
    this.nanoTime = nanoTime;
  }

  @Override
  public boolean take() {
    long now = nanoTime.getAsLong();
    Elections current = elections.get();
    if (current != asked) {
      giveBack();
      asked = current;
    }
    try {
      if (current != null && current.isConnected()) {
        boolean leads = isLeader(current, now);
        aloneSince = null;
        unasked.isOver();
        return leads;
      }
    } catch (Exception e) {
      unasked.is(e);
      giveBack();
    }
    aloneSince = aloneSince == null ? (Long) now : aloneSince;
    return now - aloneSince >= PATIENCE.toNanos();
  }

  private boolean isLeader(Elections current, long now) throws Exception {
    if (leaderSince != null && now - leaderSince >= LONGEST.toNanos()) {
      giveBack();
    }
    if (candidacy == null) {
      candidacy = current.stand();
      leaderSince = null;
    }
    boolean leads = candidacy.isLeader();
    if (leads && leaderSince == null) {
      leaderSince = now;
      LOG.info("It is this node's turn to warm JVMs");
    }
    return leads;
  }

  @Override
  public void giveBack() {
    Candidacy before = candidacy;
    candidacy = null;
    leaderSince = null;
    if (before == null) {
      return;
    }
    try {
      before.withdraw();
    } catch (Exception e) {
      // It ends with the session.
      LOG.debug("Cannot give back the turn to warm JVMs", e);
    }
  }
}
