// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real NameNode and DataNode, as the default file system of a cluster. */
public final class Hdfs {
  private static final String SERVER = "org.apache.hadoop.hdfs.server.";
  private static final String NAME_NODE = SERVER + "namenode.NameNode";
  private static final String DATA_NODE = SERVER + "datanode.DataNode";
  private static final String LIVES = "\"NumLiveDataNodes\" : 1";

  private Hdfs() {}

  /** Starts it, and waits until it serves; it ends with the cluster. */
  public static void start(YarnNode node) throws IOException, InterruptedException {
    List<Integer> ports = Ports.free(5);
    node.set("fs.defaultFS", "hdfs://127.0.0.1:" + ports.get(0));
    node.set("dfs.namenode.http-address", "127.0.0.1:" + ports.get(1));
    node.set("dfs.datanode.address", "127.0.0.1:" + ports.get(2));
    node.set("dfs.datanode.http.address", "127.0.0.1:" + ports.get(3));
    node.set("dfs.datanode.ipc.address", "127.0.0.1:" + ports.get(4));
    // As the NodeManager calls its own: a container is near a block if the two names are the same.
    String host = InetAddress.getByAddress(new byte[] {127, 0, 0, 1}).getCanonicalHostName();
    node.set("dfs.datanode.hostname", host);
    node.set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    node.set("dfs.namenode.safemode.extension", "0");
    node.set("dfs.replication", "1");
    Path dir = node.dir().resolve("hdfs");
    // As most installations have it; needs Hadoop's native library.
    node.set("dfs.client.read.shortcircuit", "true");
    node.set("dfs.domain.socket.path", socket().toString());
    node.set("dfs.namenode.name.dir", dir.resolve("name").toUri().toString());
    node.set("dfs.datanode.data.dir", dir.resolve("data").toUri().toString());

    // Their web pages are not in the jar, and are looked for on the class path.
    for (String pages : List.of("hdfs", "datanode")) {
      Files.createDirectories(node.dir().resolve("conf/webapps").resolve(pages));
    }
    int formatted = node.start(NAME_NODE, List.of("-format", "-nonInteractive")).end();
    assertEquals(0, formatted, () -> "the NameNode is formatted, see NameNode.log");
    node.start(NAME_NODE, List.of());
    node.start(DATA_NODE, List.of());
    Await.until(
        "the DataNode is registered (" + node.dir() + ")",
        () ->
            YarnNode.jmx(ports.get(1), "Hadoop:service=NameNode,name=FSNamesystemState")
                .contains(LIVES));
  }

  /**
   * For blocks that clients read themselves; HDFS wants no folder above it that others can write.
   */
  private static Path socket() throws IOException {
    Path dir = Files.createTempDirectory(Path.of(System.getProperty("user.home")), ".hottub-it");
    Path socket = dir.resolve("dn_socket");
    for (Path left : List.of(dir, socket)) { // the last one first
      left.toFile().deleteOnExit();
    }
    return socket;
  }
}
