// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HiveJars;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Hive, Tez and Hadoop keep in statics and thread-locals: each run in one pooled JVM finds it
 * as a fresh one does, whatever the run before has left there.
 */
@NeedsHome
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HiveStaticsIT {
  private static final List<String> VALUES = List.of("first", "second");

  private Pool pool;
  private final List<String> stock = new ArrayList<>();
  private final List<String> pooled = new ArrayList<>();

  @BeforeAll
  void runPrograms() throws Exception {
    pool = new Pool();
    HiveJars jars = new HiveJars();
    Path classes = jars.compile(pool.work().resolve("classes"), "HiveStatics");
    List<String> command = new ArrayList<>(List.of(HiveJars.OPENS.split(" ")));
    command.addAll(List.of("-Djava.net.preferIPv4Stack=true", "-cp"));
    command.add(classes + File.pathSeparator + jars.classPath());
    command.add("HiveStatics");
    for (String value : VALUES) {
      List<String> run = new ArrayList<>(command);
      run.add(value);
      stock.add(end(pool.stock(run)));
      pooled.add(end(pool.run(run)));
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(VALUES.size());
  }

  private String end(Outcome outcome) {
    assertEquals(0, outcome.status(), () -> outcome + pool.logs());
    return outcome.out();
  }

  @AfterAll
  void closePool() throws Exception {
    pool.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UserGroupInformation",
        "HiveConf",
        "Utilities",
        "works of Utilities",
        "ObjectCache",
        "ObjectRegistry",
        "TezConfiguration",
        "Configuration",
        "SessionState",
        "Deadline",
        "PerfLogger"
      })
  void isFreshInEachRun(String kind) {
    for (int run = 0; run < VALUES.size(); run++) {
      assertEquals(of(kind, stock.get(run)), of(kind, pooled.get(run)), VALUES.get(run));
    }
  }

  private static String of(String kind, String printed) {
    List<String> lines =
        Arrays.stream(printed.split("\n")).filter(line -> line.startsWith(kind + ": ")).toList();
    assertTrue(lines.size() == 1, printed);
    return lines.get(0);
  }
}
