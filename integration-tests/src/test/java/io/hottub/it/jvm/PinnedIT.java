// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Libraries that say that they must stay: each run finds them as on a stock JVM, nevertheless. */
@NeedsHome
@Tag("clones")
class PinnedIT {
  private static final int RUNS = 5;
  private static final String FOR_GOOD = "-Wl,-z,nodelete";

  // dlfcn.h
  private static final int LAZY = 1;
  private static final int NO_LOAD = 4;

  private Pool pool;
  private Path classes;
  private Path work;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    work = pool.work();
    classes = Programs.compile(work.resolve("classes"), "Pinned");
    compile("needed", "-DNEEDED", FOR_GOOD);
    compile("pinned", "-lneeded", FOR_GOOD);
    compile("linked", "-DLINKED", "-lpinned");
    compile("plain", "-lneeded");
    compile("opens", "-DOPENS");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private Path compile(String name, String... options) throws Exception {
    return Programs.compileLibrary(work.resolve("lib" + name + ".so"), "pinned", options);
  }

  /** With the folder of the libraries for "@". */
  private List<String> arguments(String what) {
    List<String> all = new ArrayList<>(List.of("-Xmx64m", "-cp", classes.toString(), "Pinned"));
    all.addAll(List.of(what.replace("@", work + "/lib").split(" ")));
    return all;
  }

  private Outcome run(Path java, String what) throws Exception {
    Outcome outcome = pool.start(pool.builder(Pool.command(java, arguments(what)))).await();
    if (java.equals(Home.JAVA)) {
      pool.awaitIdle();
    }
    return outcome;
  }

  private void assertServedByOneJvm(List<String> runs) throws Exception {
    for (String what : runs) {
      Outcome stock = run(Home.COLD_JAVA, what);
      assertEquals(what.endsWith("exit=3") ? 3 : 0, stock.status(), stock.toString());
      assertFalse(stock.out().contains("WRONG"), stock.out());
      assertEquals(stock, run(Home.JAVA, what), () -> what + "\n" + pool.logs());
    }
    pool.assertOneJvmServedLast(runs.size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "load=@pinned.so call call",
        "load=@linked.so",
        "load=@opens.so open:1=libpinned.so open:2=libpinned.so",
        // To all libraries: as commons-crypto and Hadoop open OpenSSL.
        "load=@opens.so open:257=libpinned.so",
        // And to stay, whatever it says itself.
        "load=@opens.so open:4097=libplain.so"
      })
  void aRunFindsNothingOfFormerRuns(String what) throws Exception {
    assertServedByOneJvm(Collections.nCopies(RUNS, what));
  }

  @Test
  void whatTheyLeaveForTheEndGetsTheStatus() throws Exception {
    String what = "load=@pinned.so call exit=3";
    assertTrue(run(Home.COLD_JAVA, what).out().contains("on exit: 3, 8\nat exit: 8\n"));
    assertServedByOneJvm(Collections.nCopies(RUNS, what));
  }

  @Test
  void aRunThatDoesNotUseThemDoesNotSeeThem() throws Exception {
    String uses = "load=@pinned.so call";
    String asks = "load=@opens.so open:%d=libpinned.so".formatted(LAZY | NO_LOAD);
    assertServedByOneJvm(List.of(uses, asks, uses, "load=@needed.so", uses, asks));
  }

  @Test
  void openSslIsUnloaded() throws Exception {
    Programs.compileLibrary(
        work.resolve("libciphers.so"), "ciphers", "-l:libssl.so.3", "-l:libcrypto.so.3");
    assertServedByOneJvm(Collections.nCopies(RUNS, "load=@ciphers.so ciphers ciphers"));
  }

  @Test
  void aRunThatIsKilledLeavesNothing() throws Exception {
    String what = "load=@pinned.so call";
    assertEquals(run(Home.COLD_JAVA, what), run(Home.JAVA, what), () -> pool.logs());
    List<String> command = Pool.command(Home.JAVA, arguments(what + " wait"));
    Run killed = pool.start(pool.builder(command)).awaitOut("waiting");
    pool.awaitTraced(2);
    killed.signal("KILL");
    assertEquals(137, killed.await().status());
    pool.awaitIdle();
    assertEquals(run(Home.COLD_JAVA, what), run(Home.JAVA, what), () -> pool.logs());
    pool.assertOneJvmServedLast(3);
  }

  /** The dynamic linker remembers which library has them. */
  @Test
  @Tag("reuse")
  void oneWithUniqueSymbolsRetiresTheJvm() throws Exception {
    compile("pinned", "-lneeded", "-DUNIQUE", FOR_GOOD);
    assertRetires("load=@pinned.so call");
  }

  @Test
  void oneThatALibraryOfTheJdkOpensGoesWithIt() throws Exception {
    assertServedByOneJvm(Collections.nCopies(RUNS, "tokens=@pinned.so"));
  }

  /** A library of the JDK that stays has opened one, and may remember it. */
  @Test
  @Tag("reuse")
  void oneThatIsUsedByWhatStaysRetiresTheJvm() throws Exception {
    assertRetires("proxies load=@pinned.so call");
  }

  /** Those of a library that stays do not run. */
  private static Outcome withoutDestructors(Outcome outcome) {
    return outcome.normalised(text -> text.replaceAll("(?m)^(needed )?ends: .*\n", ""));
  }

  private void assertRetires(String what) throws Exception {
    Outcome stock = run(Home.COLD_JAVA, what);
    for (int run = 1; run <= 2; run++) {
      assertEquals(withoutDestructors(stock), withoutDestructors(run(Home.JAVA, what)));
      Run.await("the JVM has ended", () -> pool.sockets().isEmpty());
      assertTrue(pool.logs().contains(" stays loaded"), () -> pool.logs());
    }
  }

  /** After an update, say. */
  @Test
  void aFileThatHasChangedIsThatOfTheNextRun() throws Exception {
    String what = "load=@pinned.so call";
    assertServedByOneJvm(List.of(what, what));
    Path changed = compile("changed", "-lneeded", "-DFIRST=8", FOR_GOOD);
    Files.move(changed, work.resolve("libpinned.so"), StandardCopyOption.REPLACE_EXISTING);
    assertTrue(run(Home.COLD_JAVA, what).out().contains("data 8"));
    assertServedByOneJvm(List.of(what, what));
  }
}
