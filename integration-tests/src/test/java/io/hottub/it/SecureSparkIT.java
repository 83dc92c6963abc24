// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.jvm.NeedsHome;
import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Applications on a cluster with Kerberos, with delegation tokens for a real HDFS. */
@NeedsHome
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
    // As it is by default.
    spark.set("spark.yarn.stagingDir", node.conf().get("fs.defaultFS") + "/staging");
  }

  @AfterAll
  void stopKdc() throws Exception {
    kdc.close();
  }

  /** What an application of a user saw of itself and of its files. */
  private String files(boolean pooled, String mode, String user) throws Exception {
    Path result = folder().resolve("result");
    List<String> settings = List.of("spark.kerberos.principal=" + user + Kdc.REALM);
    String path = "/files/" + result.getParent().getFileName();
    SparkRun run = spark.submit(pooled, mode, settings, "files", result.toString(), path);
    assertEquals(0, run.end(), run.log());
    pool.awaitIdle();
    return Files.readString(result);
  }

  /** As on stock JVMs, and all JVMs warm at the second time; returns those of the executors. */
  private Set<Long> assertWarmAndEqual(String mode, String user) throws Exception {
    String stock = files(false, mode, user);
    assertTrue(stock.contains("files of " + user + ": [0 " + user + "[HDFS_DELEGATION_"), stock);
    assertEquals(stock, files(true, mode, user));
    int former = journalled();
    assertEquals(stock, files(true, mode, user));
    List<String> served = served(former);
    assertTrue(served.stream().allMatch(run -> run.endsWith(" warm")), served + pool.logs());
    Set<Long> jvms = new HashSet<>();
    List<String> journal = Journal.history(pool.directory());
    for (String line : journal.subList(former, journal.size())) {
      JournalEntry entry = JournalEntry.parse(line);
      if (entry.event().equals("run") && EXECUTOR.equals(entry.text("main_class"))) {
        jvms.add(entry.number("jvm_pid"));
      }
    }
    assertEquals(2, jvms.size(), served.toString());
    return jvms;
  }

  @Test
  void everyApplicationHasTokensOfItsUser() throws Exception {
    Set<Long> common = assertWarmAndEqual("client", USERS.get(0));
    common.retainAll(assertWarmAndEqual("cluster", USERS.get(1)));
    assertEquals(Set.of(), common, "executors of two users");
  }
}
