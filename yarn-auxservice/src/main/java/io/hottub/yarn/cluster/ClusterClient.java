// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.protocol.ProtocolException;
import io.hottub.yarn.cluster.ClusterSettings.Scheme;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.ClientCnxnSocketNIO;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;

/**
 * A connection to ZooKeeper that keeps itself alive. Every operation ends within {@link #DEADLINE},
 * one after the other for each request that it needs, or fails; none is tried again.
 */
final class ClusterClient implements Closeable {
  static final Duration DEADLINE = Duration.ofSeconds(5);

  /** Of changes of the switch that collide: as many operators will not be at work at once. */
  private static final int ATTEMPTS = 10;

  private static final int MAY_CHANGE =
      ZooDefs.Perms.WRITE | ZooDefs.Perms.CREATE | ZooDefs.Perms.DELETE | ZooDefs.Perms.ADMIN;
  private static final Id ANYONE = ZooDefs.Ids.ANYONE_ID_UNSAFE;

  private final CuratorFramework curator;
  private final String root;
  private final String switchPath;
  private final String nodesPath;
  private final String warmingPath;

  /**
   * One and the same: ZooKeeper keeps those that were not called yet, and each of them only once.
   */
  private final CuratorWatcher watcher;

  private ClusterClient(CuratorFramework curator, String root, Events events) {
    this.curator = curator;
    this.root = root;
    this.watcher = event -> events.switchMoved();
    this.switchPath = root + "/switch";
    this.nodesPath = root + "/nodes";
    this.warmingPath = root + "/warming";
  }

  /** Is told what happens to the connection, by a thread that is not to be kept. */
  interface Events {
    /** There is a session; it may be another one than before. */
    void connected();

    /** The session is over, or as good as. */
    void lost();

    /** The switch is not, or may not be, what was read last. */
    void switchMoved();
  }

  /**
   * Begins to connect, and goes on until it is closed.
   *
   * @throws IOException if the credentials, or the keytab, cannot be read
   */
  static ClusterClient open(ClusterSettings settings, Events events) throws IOException {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(settings.connect())
            .sessionTimeoutMs(Math.toIntExact(settings.sessionTimeout().toMillis()))
            .connectionTimeoutMs(Math.toIntExact(DEADLINE.toMillis()))
            .retryPolicy(new RetryNTimes(0, 0))
            .aclProvider(acls(settings.readers()))
            .zkClientConfig(config(settings))
            .threadFactory(ClusterClient::daemon)
            // It would want classes of ZooKeeper's server.
            .ensembleTracker(false);
    if (settings.scheme() == Scheme.DIGEST) {
      builder.authorization("digest", Credentials.read(settings.credentials()));
    }
    CuratorFramework curator = builder.build();
    ConnectionStateListener listener =
        (client, state) -> {
          if (state == ConnectionState.LOST) {
            events.lost();
          } else if (state.isConnected()) {
            events.connected();
          }
        };
    curator.getConnectionStateListenable().addListener(listener);
    try {
      curator.start();
    } catch (RuntimeException | LinkageError e) {
      curator.close();
      throw e;
    }
    return new ClusterClient(curator, settings.root(), events);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "hottub-zookeeper");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * What the process sets for ZooKeeper clients of its own, as system properties, is not for us.
   */
  private static ZKClientConfig config(ClusterSettings settings) throws IOException {
    ZKClientConfig config = new ZKClientConfig();
    boolean sasl = settings.scheme() == Scheme.SASL;
    config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, Boolean.toString(sasl));
    String section =
        config.getProperty(
            ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, ZKClientConfig.LOGIN_CONTEXT_NAME_KEY_DEFAULT);
    if (sasl && settings.keytab().isPresent() && !KeytabLogin.hasSection(section)) {
      config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, settings.keytab().get().section());
    }
    // By any longer name, the client would look for its other one, which wants Netty.
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNIO.class.getSimpleName());
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "false");
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, Long.toString(DEADLINE.toMillis()));
    return config;
  }

  private static ACLProvider acls(List<String> readers) {
    List<ACL> acls = new ArrayList<>(ZooDefs.Ids.CREATOR_ALL_ACL);
    for (String reader : readers) {
      int colon = reader.indexOf(':');
      Id id = new Id(reader.substring(0, colon), reader.substring(colon + 1));
      acls.add(new ACL(ZooDefs.Perms.READ, id));
    }
    return new ACLProvider() {
      @Override
      public List<ACL> getDefaultAcl() {
        return acls;
      }

      @Override
      public List<ACL> getAclForPath(String path) {
        return acls;
      }
    };
  }

  boolean isConnected() {
    return curator.getZookeeperClient().isConnected();
  }

  /** Waits for the first connection, but not for longer than {@link #DEADLINE}. */
  boolean awaitConnection() throws InterruptedException {
    return curator.blockUntilConnected(Math.toIntExact(DEADLINE.toMillis()), TimeUnit.MILLISECONDS);
  }

  /** Writes the record of a node, which goes with the session of this process. */
  void publish(String node, String record) throws Exception {
    String path = nodesPath + "/" + node;
    byte[] data = record.getBytes(StandardCharsets.UTF_8);
    try {
      Stat stat = curator.setData().forPath(path, data);
      long session = curator.getZookeeperClient().getZooKeeper().getSessionId();
      if (stat.getEphemeralOwner() == session) {
        return;
      }
      // Left by a process before this one: it would vanish with that one's session.
      curator.delete().forPath(path);
    } catch (KeeperException.NoNodeException e) {
      // The first publication of this session.
    }
    curator.create().creatingParentsIfNeeded().withMode(CreateMode.EPHEMERAL).forPath(path, data);
  }

  /**
   * The election with this number, of those whose leaders may warm their JVMs.
   *
   * @param node name of this node
   */
  ElectedTurn.Elections election(int number, String node) {
    return new ElectedTurn.Elections() {
      @Override
      public boolean isConnected() {
        return ClusterClient.this.isConnected();
      }

      @Override
      public ElectedTurn.Candidacy stand() throws Exception {
        LeaderLatch latch = new LeaderLatch(curator, warmingPath + "/" + number, node);
        latch.start();
        return new ElectedTurn.Candidacy() {
          @Override
          public boolean isLeader() {
            return latch.hasLeadership();
          }

          @Override
          public void withdraw() throws IOException {
            latch.close();
          }
        };
      }
    };
  }

  /** The records of all nodes as they are, by the name of the node. */
  SortedMap<String, String> nodes() throws Exception {
    SortedMap<String, String> records = new TreeMap<>();
    try {
      for (String node : curator.getChildren().forPath(nodesPath)) {
        try {
          records.put(node, text(curator.getData().forPath(nodesPath + "/" + node)));
        } catch (KeeperException.NoNodeException e) {
          // It has gone since it was listed.
        }
      }
    } catch (KeeperException.NoNodeException e) {
      // No node has ever been here.
    }
    return records;
  }

  /**
   * Reads the switch; {@link Events#switchMoved()} follows once when that is no longer so.
   *
   * @throws ProtocolException if it is malformed, or could have been written by just anyone
   */
  ClusterSwitch readSwitch() throws Exception {
    // Tells of its data and its end, too, and where it does not exist yet, of its beginning.
    Stat stat = curator.checkExists().usingWatcher(watcher).forPath(switchPath);
    if (stat == null) {
      return ClusterSwitch.ALL_ON;
    }
    checkWriters();
    return ClusterSwitch.parse(text(curator.getData().forPath(switchPath)));
  }

  /** Who may change the parent of the switch may replace it. */
  private void checkWriters() throws Exception {
    for (String path : List.of(root, switchPath)) {
      for (ACL acl : curator.getACL().forPath(path)) {
        if (acl.getId().equals(ANYONE) && (acl.getPerms() & MAY_CHANGE) != 0) {
          throw new ProtocolException(path + " may be changed by anyone");
        }
      }
    }
  }

  /** Changes the switch; others may do so at the same time. */
  void changeSwitch(UnaryOperator<ClusterSwitch> change) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        tryToChangeSwitch(change);
        return;
      } catch (KeeperException.BadVersionException | KeeperException.NodeExistsException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void tryToChangeSwitch(UnaryOperator<ClusterSwitch> change) throws Exception {
    Stat stat = new Stat();
    byte[] found;
    try {
      found = curator.getData().storingStatIn(stat).forPath(switchPath);
    } catch (KeeperException.NoNodeException e) {
      byte[] data = bytes(change.apply(ClusterSwitch.ALL_ON));
      curator.create().creatingParentsIfNeeded().forPath(switchPath, data);
      return;
    }
    checkWriters();
    byte[] data = bytes(change.apply(orAllOn(text(found))));
    curator.setData().withVersion(stat.getVersion()).forPath(switchPath, data);
  }

  /** Nodes do not obey what is malformed: whoever switches next begins anew. */
  private static ClusterSwitch orAllOn(String json) {
    try {
      return ClusterSwitch.parse(json);
    } catch (ProtocolException e) {
      return ClusterSwitch.ALL_ON;
    }
  }

  private static byte[] bytes(ClusterSwitch state) {
    return state.json().getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] data) {
    return new String(data, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    curator.close();
  }
}
