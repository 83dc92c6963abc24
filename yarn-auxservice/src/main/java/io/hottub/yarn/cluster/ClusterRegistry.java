// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolMarks;
import io.hottub.protocol.ProtocolException;
import io.hottub.yarn.cluster.NodeRecord.Jvms;
import io.hottub.yarn.config.SettingException;
import io.hottub.yarn.log.Trouble;
import io.hottub.yarn.recipes.WarmingTurn;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node in the cluster view: publishes its record, and makes its pool obey the cluster's
 * switch. Everything happens in a thread of its own. Without ZooKeeper, and while the switch cannot
 * be understood, the marks in the pool stay as the switch was last seen, also for the next
 * NodeManager: what an operator has switched off must not come back because ZooKeeper is away.
 */
public final class ClusterRegistry implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterRegistry.class);
  private static final long TURN_MS = 500;
  private static final long STOP_SECONDS = 2;

  /** After a failure that will not pass by itself, as credentials that are not enough. */
  private static final Duration QUIET = Duration.ofSeconds(5);

  private final ClusterSettings settings;
  private final String node;
  private final String yarnNode;
  private final int maxJvms;
  private final String release;
  private final PoolDirectory pool;
  private final PoolMarks marks;
  private final Runnable switched;
  private final Counter publications;
  private final Counter sessionsLost;
  private final Counter malformed;
  private final Counter failures;
  private final RateLimit publicationLimit;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "hottub-cluster");
            created.setDaemon(true);
            return created;
          });

  /** Null before the first look at the pool. */
  private volatile Map<String, Jvms> jvms;

  private volatile boolean poolSeen;
  private volatile boolean switchMoved = true;
  private volatile boolean recordGone;

  /** Null before the first turn, and where there are no credentials. */
  private volatile ClusterClient client;

  /** With the client. */
  private volatile ElectedTurn.Elections election;

  // What follows belongs to the thread.
  private ClusterSwitch obeyed;
  private String wanted;
  private String published;
  private long quietUntil = System.nanoTime();
  private long workedLast;
  private final Trouble failing =
      new Trouble(
          LOG, "No cluster view for now; the node works without", "The cluster view works again");

  private final Trouble notObeyed =
      new Trouble(
          LOG, "The cluster's switch is not obeyed", "The cluster's switch can be obeyed again");

  private final Trouble sessionLost =
      new Trouble(LOG, "The session with ZooKeeper is lost", "ZooKeeper is there again");

  /**
   * @param node name of this node
   * @param yarnNode as {@link NodeRecord} has it
   * @param maxJvms for the record
   * @param switched is called when runs have become cold, or warm again, by the switch
   */
  public ClusterRegistry(
      ClusterSettings settings,
      String node,
      String yarnNode,
      int maxJvms,
      PoolDirectory pool,
      MetricRegistry registry,
      Runnable switched) {
    this.settings = settings;
    this.node = node;
    this.yarnNode = yarnNode;
    this.maxJvms = maxJvms;
    this.pool = pool;
    this.marks = new PoolMarks(pool);
    this.switched = switched;
    String version = ClusterRegistry.class.getPackage().getImplementationVersion();
    this.release = version == null ? "unknown" : version;
    this.publicationLimit = new RateLimit(settings.publishInterval(), System::nanoTime);
    publications = registry.counter("cluster.publications");
    sessionsLost = registry.counter("cluster.sessions_lost");
    malformed = registry.counter("cluster.malformed");
    failures = registry.counter("cluster.failures");
    registry.gauge("cluster.connected", () -> () -> isConnected() ? 1 : 0);
  }

  private boolean isConnected() {
    ClusterClient now = client;
    return now != null && now.isConnected();
  }

  /** This node's turn among all that have JVMs to warm. */
  public WarmingTurn warmingTurn() {
    return new ElectedTurn(() -> election, System::nanoTime);
  }

  /** Begins; never waits for ZooKeeper. */
  public void start() {
    var unused = thread.scheduleWithFixedDelay(this::turn, 0, TURN_MS, TimeUnit.MILLISECONDS);
  }

  /** Takes over what the pool has, by fingerprint. */
  public void update(Map<String, Jvms> found) {
    jvms = found;
    poolSeen = true;
  }

  /** Never throws: a scheduler drops a task that does. */
  private void turn() {
    try {
      if (System.nanoTime() - quietUntil < 0 || !ready()) {
        return;
      }
      obey();
      if (publish()) {
        failing.isOver();
      }
      if (!failing.isOn()) {
        workedLast = System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | LinkageError e) {
      failed(e);
    }
  }

  private boolean ready() throws IOException {
    // A client that could not log in is at its end, or has gone on as nobody, for as long as it is
    // connected. Its credentials may be renewed meanwhile.
    Duration since = Duration.ofNanos(System.nanoTime() - workedLast);
    if (since.compareTo(settings.sessionTimeout().multipliedBy(2)) > 0) {
      disconnect();
    }
    if (client == null) {
      client = ClusterClient.open(settings, new Listener());
      election = client.election(Math.floorMod(node.hashCode(), settings.warmingNodes()), node);
      workedLast = System.nanoTime();
    }
    return client.isConnected();
  }

  /** Only leaves word for the thread. */
  private final class Listener implements ClusterClient.Events {
    @Override
    public void connected() {
      recordGone = true;
      sessionLost.isOver();
      switchMoved();
    }

    @Override
    public void lost() {
      sessionsLost.inc();
      sessionLost.is("the pool stays as it was switched last");
    }

    @Override
    public void switchMoved() {
      switchMoved = true;
      try {
        thread.execute(ClusterRegistry.this::turn);
      } catch (RejectedExecutionException e) {
        LOG.debug("Stopping", e);
      }
    }
  }

  /** Follows the switch, and puts its marks back where somebody has taken them away. */
  private void obey() throws Exception {
    boolean moved = switchMoved;
    if (moved) {
      switchMoved = false;
      read();
    }
    if (!moved && !poolSeen) {
      return;
    }
    poolSeen = false;
    if (obeyed != null && marks.drainForCluster(obeyed.closes(node), obeyed.fingerprints())) {
      LOG.info("Obeying the cluster's switch: {}", obeyed.json());
      switched.run();
    }
    wanted = jvms == null ? null : record().json();
  }

  private void read() throws Exception {
    try {
      obeyed = client.readSwitch();
      notObeyed.isOver();
    } catch (ProtocolException e) {
      malformed.inc();
      notObeyed.is(e.getMessage());
    } catch (Exception e) {
      switchMoved = true;
      throw e;
    }
  }

  private NodeRecord record() throws IOException {
    SortedMap<String, Jvms> fingerprints = new TreeMap<>(jvms);
    for (String fingerprint : pool.fingerprints()) {
      if (marks.isDrained(fingerprint)) {
        fingerprints.merge(fingerprint, new Jvms(0, 0, 0, 0, true), Jvms::plus);
      }
    }
    return new NodeRecord(release, maxJvms, marks.isDrained(), yarnNode, fingerprints);
  }

  /** Returns false if the record has to wait: nothing is known then about who we are. */
  private boolean publish() throws Exception {
    if (recordGone) {
      recordGone = false;
      published = null;
    }
    if (wanted == null || wanted.equals(published)) {
      return true;
    }
    if (!publicationLimit.take()) {
      return false;
    }
    client.publish(node, wanted);
    published = wanted;
    publications.inc();
    return true;
  }

  private void failed(Throwable e) {
    failures.inc();
    if (e instanceof SettingException) {
      failing.is(e.getMessage());
    } else {
      failing.is(e);
    }
    if (!(e instanceof KeeperException.ConnectionLossException)) {
      quietUntil = System.nanoTime() + QUIET.toNanos();
    }
  }

  private void disconnect() {
    if (client != null) {
      client.close();
      client = null;
      election = null;
    }
  }

  /** Takes the record away, if ZooKeeper answers in time; else it goes with the session. */
  @Override
  public void close() {
    thread.execute(this::disconnect);
    thread.shutdown();
    try {
      if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
