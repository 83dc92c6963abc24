// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Application;
import io.hottub.it.harness.Await;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.YarnNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The memory check of a real NodeManager, and containers whose memory is in pooled JVMs. */
@NeedsHome
class AccountingIT {
  private static final Pattern POOLED_JVM =
      Pattern.compile("\\|- (\\d+) [(]pooled JVM of HotTub, leased by \\d+, run \\d+, Hog[)]");

  private Pool pool;
  private YarnNode node;
  private Path classes;

  @BeforeEach
  void startYarn() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Hog");
    node = new YarnNode(pool.root(), Home.path());
    node.set("yarn.nodemanager.pmem-check-enabled", "true");
    // By default the NodeManager leaves the check to cgroups, whether there are any or not.
    node.set("yarn.nodemanager.resource.memory.enforced", "false");
    node.set("yarn.nodemanager.container-monitor.interval-ms", "500");
    node.set(
        "yarn.nodemanager.container-monitor.process-tree.class",
        "io.hottub.yarn.HotTubProcessTree");
    node.startResourceManager();
    node.startNodeManager();
  }

  @AfterEach
  void stopYarn() throws Exception {
    pool.retireAll();
    node.close();
    pool.close();
  }

  private Application start(String name, int megabytes) throws Exception {
    Path started = pool.work().resolve("started-" + name);
    Application application =
        new Application(node.client())
            .memoryMb(384)
            .environment("JAVA_HOME", Home.path().toString())
            .environment("HOTTUB_TRACE", pool.trace().toString())
            .submit(
                "$JAVA_HOME/bin/java -Xmx700m -cp %s Hog %s %s %d"
                    .formatted(classes, started, pool.work().resolve("go-" + name), megabytes));
    Await.until(name + " runs", () -> Files.exists(started));
    return application;
  }

  @Test
  void onlyTheGreedyContainerIsKilledAndOnlyItsLease() throws Exception {
    Application modest = start("modest", 1);
    Application greedy = start("greedy", 500);
    assertEquals(YarnApplicationState.FAILED, greedy.awaitEnd());
    String diagnostics = greedy.diagnostics();
    assertTrue(diagnostics.contains("beyond the 'PHYSICAL' memory limit"), diagnostics);
    Matcher matcher = POOLED_JVM.matcher(diagnostics);
    assertTrue(matcher.find(), diagnostics);
    long jvm = Long.parseLong(matcher.group(1));
    Await.until("the JVM is reset", () -> Pool.isBack(pool.states(), jvm));

    // It, or a clone of it, serves the next container, which is charged only for itself.
    Application next = start("next", 1);
    Files.createFile(pool.work().resolve("go-next"));
    next.awaitEnd();
    assertTrue(next.diagnostics().contains("exitCode: 7"), next.diagnostics());
    pool.awaitTraced(3);
    assertTrue(pool.servedLast() == jvm || pool.cloneServedLast(), pool::logs);

    Files.createFile(pool.work().resolve("go-modest"));
    assertEquals(YarnApplicationState.FAILED, modest.awaitEnd());
    assertTrue(modest.diagnostics().contains("exitCode: 7"), modest.diagnostics());
  }
}
