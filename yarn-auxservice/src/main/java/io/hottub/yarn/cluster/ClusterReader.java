// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.protocol.ProtocolException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the records of all nodes, for a process that is none of them. Not for use by two threads.
 */
public final class ClusterReader {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterReader.class);

  private final ClusterSettings settings;
  private ClusterClient client;
  private long workedLast;

  public ClusterReader(ClusterSettings settings) {
    this.settings = settings;
  }

  /** The records by the name of the node; none as long as there is no connection. */
  public Map<String, NodeRecord> read() throws Exception {
    Map<String, NodeRecord> records = new HashMap<>();
    if (ready()) {
      client.nodes().forEach((node, json) -> add(records, node, json));
      workedLast = System.nanoTime();
    }
    return records;
  }

  private static void add(Map<String, NodeRecord> records, String node, String json) {
    try {
      records.put(node, NodeRecord.parse(json));
    } catch (ProtocolException e) {
      LOG.debug("The record of {} is damaged", node, e);
    }
  }

  /** As nodes do, it begins anew with keytab or credentials, which may have been repaired. */
  private boolean ready() throws IOException {
    Duration since = Duration.ofNanos(System.nanoTime() - workedLast);
    if (client != null && since.compareTo(settings.sessionTimeout().multipliedBy(2)) > 0) {
      client.close();
      client = null;
    }
    if (client == null) {
      client = ClusterClient.open(settings, new ClusterCommands.Deaf());
      workedLast = System.nanoTime();
    }
    return client.isConnected();
  }
}
