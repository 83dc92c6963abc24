// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.util.List;

/** HDFS with Kerberos. */
public final class SecureHdfs {
  /** Whom the KDC has to know for it. */
  public static final List<String> PRINCIPALS =
      List.of("namenode/localhost", "datanode/localhost", "HTTP/localhost");

  private SecureHdfs() {}

  /** Starts it, and waits until it serves; it ends with the cluster. */
  public static void start(YarnNode node, Kdc kdc) throws IOException, InterruptedException {
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
    Hdfs.start(node);
  }
}
