// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.Kdc;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.YarnNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster with Kerberos and a real KDC, whose users share pooled JVMs with nobody else. */
@NeedsHome
class KerberosIT {
  private Pool pool;
  private YarnNode node;
  private Kdc kdc;
  private Path classes;
  private int submitted;

  @BeforeEach
  void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    classes = Programs.compile(pool.work().resolve("classes"), "Tokens");
    kdc = new Kdc(pool.work().resolve("kdc"), node, List.of("alice", "bob", "scheduler"));
    node.set("yarn.resourcemanager.webapp.delegation-token-auth-filter.enabled", "false");
    node.set("hadoop.proxyuser.scheduler.hosts", "*");
    node.set("hadoop.proxyuser.scheduler.users", "alice");
    // What serves a user's third run does not depend on how much the others have compiled.
    node.set("yarn.nodemanager.aux-services.hottub.isolation", "reuse");
    node.startResourceManager();
    node.startNodeManager();
  }

  @AfterEach
  void stopAll() throws Exception {
    pool.retireAll();
    node.close();
    kdc.close();
    pool.close();
  }

  /** Submits an application as a user; returns its id, after what its container has seen. */
  private String submit(String principal, String user) throws Exception {
    Path out = pool.work().resolve("out-" + ++submitted);
    String command =
        "%s -Xmx128m %s -cp %s/conf:%s:%s Tokens > %s 2>&1"
            .formatted(Home.JAVA, kdc.jvmOption(), node.dir(), classes, Daemon.classPath(), out);
    String written =
        node.client(
            SubmitAs.class,
            principal + Kdc.REALM,
            kdc.keytab().toString(),
            user,
            pool.trace().toString(),
            command);
    String id = written.lines().reduce((first, last) -> last).orElseThrow().split(" ", -1)[0];
    assertTrue(id.startsWith("application_"), written);
    String tenant = user.equals("-") ? principal : user;
    String seen = Files.readString(out);
    // After what Hadoop logs.
    assertTrue(seen.endsWith("security=true user=" + tenant + "\n" + id + "\n"), seen + written);
    return id;
  }

  @Test
  void everyUserHasWarmJvmsOfItsOwnAndEveryRunItsOwnTokens() throws Exception {
    String first = submit("alice", "-");
    String second = submit("alice", "-");
    assertNotEquals(first, second);
    submit("bob", "-");
    submit("scheduler", "alice");
    submit("bob", "-");
    List<Long> served = pool.servedBy();
    assertEquals(5, served.size(), pool.logs());
    long alices = served.get(0);
    long bobs = served.get(2);
    assertNotEquals(alices, bobs);
    assertEquals(List.of(alices, alices, bobs, alices, bobs), served);
  }
}
