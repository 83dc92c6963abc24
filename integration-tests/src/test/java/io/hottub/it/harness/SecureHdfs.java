// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real NameNode and DataNode with Kerberos, as the default file system of a cluster. */
public final class SecureHdfs {
  /** Whom the KDC has to know for it. */
  public static final List<String> PRINCIPALS =
      List.of("namenode/localhost", "datanode/localhost", "HTTP/localhost");

  private static final String SERVER = "org.apache.hadoop.hdfs.server.";
  private static final String NAME_NODE = SERVER + "namenode.NameNode";
  private static final String DATA_NODE = SERVER + "datanode.DataNode";
  private static final String LIVES = "\"NumLiveDataNodes\" : 1";

  private SecureHdfs() {}

  /** Starts it, and waits until it serves; it ends with the cluster. */
  public static void start(YarnNode node, Kdc kdc) throws IOException, InterruptedException {
    List<Integer> ports = Ports.free(5);
    node.set("fs.defaultFS", "hdfs://127.0.0.1:" + ports.get(0));
    node.set("dfs.namenode.http-address", "127.0.0.1:" + ports.get(1));
    node.set("dfs.datanode.address", "127.0.0.1:" + ports.get(2));
    node.set("dfs.datanode.http.address", "127.0.0.1:" + ports.get(3));
    node.set("dfs.datanode.ipc.address", "127.0.0.1:" + ports.get(4));
    node.set("dfs.datanode.hostname", "127.0.0.1");
    node.set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    node.set("dfs.namenode.safemode.extension", "0");
    node.set("dfs.replication", "1");
    Path dir = node.dir().resolve("hdfs");
    node.set("dfs.namenode.name.dir", dir.resolve("name").toUri().toString());
    node.set("dfs.datanode.data.dir", dir.resolve("data").toUri().toString());
    // Nobody has made folders for the users.
    node.set("dfs.permissions.enabled", "false");
    node.set("dfs.block.access.token.enable", "true");
    node.set("dfs.data.transfer.protection", "privacy");
    // That is safe by itself, but only with ports below 1024 or a web server with TLS HDFS believes
    // it.
    node.set("ignore.secure.ports.for.testing", "true");
    for (String name :
        List.of(
            "dfs.namenode.keytab.file",
            "dfs.datanode.keytab.file",
            "dfs.web.authentication.kerberos.keytab")) {
      node.set(name, kdc.keytab().toString());
    }
    node.set("dfs.namenode.kerberos.principal", PRINCIPALS.get(0) + Kdc.REALM);
    node.set("dfs.datanode.kerberos.principal", PRINCIPALS.get(1) + Kdc.REALM);
    node.set("dfs.web.authentication.kerberos.principal", PRINCIPALS.get(2) + Kdc.REALM);

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
}
