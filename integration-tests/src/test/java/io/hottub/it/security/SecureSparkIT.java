// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.Kdc;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.SecureHdfs;
import io.hottub.it.harness.SparkHome;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Applications on a cluster with Kerberos, with delegation tokens for a real HDFS. */
@NeedsHome
@Tag("long")
class SecureSparkIT extends SparkOnYarn {
  private static final List<String> USERS = List.of("alice", "bob");

  private Kdc kdc;

  @Override
  protected String version() {
    return "3";
  }

  @Override
  protected void configure(YarnNode node) throws Exception {
    List<String> principals =
        Stream.of(USERS, SecureHdfs.PRINCIPALS).flatMap(List::stream).toList();
    kdc = new Kdc(pool.work().resolve("kdc"), node, principals);
    node.set("yarn.resourcemanager.webapp.delegation-token-auth-filter.enabled", "false");
    SecureHdfs.start(node, kdc);
  }

  @Override
  protected void configure(SparkHome spark) throws Exception {
    spark.jvmOption(kdc.jvmOption());
    spark.set("spark.kerberos.principal", USERS.get(0) + Kdc.REALM);
    spark.set("spark.kerberos.keytab", kdc.keytab().toString());
    for (String kind : List.of("driver", "executor", "yarn.am")) {
      spark.set("spark." + kind + ".extraLibraryPath", Daemon.nativeLibraries().toString());
    }
    // As it is by default.
    spark.set("spark.yarn.stagingDir", node.conf().get("fs.defaultFS") + "/staging");
  }

  @AfterAll
  void stopKdc() throws Exception {
    kdc.close();
  }

  /** Returns what served the executors of the last application. */
  private Set<Long> assertWarmAndEqual(String mode, String user) throws Exception {
    List<String> settings = List.of("spark.kerberos.principal=" + user + Kdc.REALM);
    String stock =
        assertWarmAndEqual(
            (pooled, result) -> {
              String path = "/files/" + Path.of(result).getParent().getFileName();
              return spark.submit(pooled, mode, settings, "files", result, path);
            });
    String executor = user + " (native)[HDFS_DELEGATION_";
    assertTrue(stock.contains("files of " + user + ": [0 " + executor), stock);
    List<Long> executors = new ArrayList<>();
    for (String line : Journal.history(pool.directory())) {
      JournalEntry entry = JournalEntry.parse(line);
      if (entry.event().equals("run") && EXECUTOR.equals(entry.text("main_class"))) {
        executors.add(entry.number("jvm_pid"));
      }
    }
    int count = executors.size();
    Set<Long> jvms = new HashSet<>(executors.subList(count - 2, count));
    assertEquals(2, jvms.size(), executors.toString());
    return jvms;
  }

  @Test
  void everyApplicationHasTokensOfItsUser() throws Exception {
    Set<Long> common = assertWarmAndEqual("client", USERS.get(0));
    common.retainAll(assertWarmAndEqual("cluster", USERS.get(1)));
    assertEquals(Set.of(), common, "executors of two users");
  }
}
