// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.SparkHome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Native methods of what runs on Hadoop, whose names say that they wait. Each was looked at: a new
 * one may be a loop that lives as long as its process, and then belongs to the list in
 * hottubNativeCode.cpp, or each run that uses it ends its JVM.
 */
@NeedsHome
class WaitingNativesIT {
  private static final Set<String> KNOWN =
      new TreeSet<>(
          Set.of(
              // Of the list.
              "io/netty/channel/epoll/Native.epollWait",
              "io/netty/channel/epoll/Native.epollWait0",
              "org/apache/hadoop/net/unix/DomainSocketWatcher.doPoll0",
              // Does not block: it returns at once, again and again, and no default wants it.
              "io/netty/channel/epoll/Native.epollBusyWait0",
              // A getter.
              "org/rocksdb/FlushOptions.waitForFlush",
              // Of other systems than Linux.
              "io/netty/channel/kqueue/Native.keventWait",
              "org/apache/hadoop/yarn/server/nodemanager/"
                  + "WindowsSecureContainerExecutor$Native$WinutilsProcessStub.waitFor",
              "org/fusesource/jansi/internal/Kernel32.WaitForSingleObject",
              "org/jline/nativ/Kernel32.WaitForSingleObject"));

  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  @Test
  void eachIsKnown() throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--add-exports=java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED",
                Programs.source("WaitingNatives").toString()));
    for (String engine : List.of("hadoop", "mapreduce", "tez", "hive", "beeline")) {
      arguments.add(SparkHome.fetch(engine).toString());
    }
    for (String version : List.of("3", "4")) {
      arguments.add(SparkHome.fetch("spark", version).resolve("jars").toString());
    }
    Outcome natives = pool.stock(arguments);
    assertEquals(new Outcome(0, natives.out(), ""), natives);
    Set<String> found = new TreeSet<>();
    for (String method : natives.out().lines().toList()) {
      found.add(method.replaceFirst("^.*/(?=io/netty/)", "")); // relocated
    }
    assertEquals(String.join("\n", KNOWN), String.join("\n", found));
  }
}
