// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every switch of the VM (-XX:+Name, -XX:-Name), the other way round: runs are as on a stock JVM
 * that is started so, from one and the same JVM, or cold. One that a JDK adds is among them.
 */
@NeedsHome
@Tag("long")
class EveryFlagIT {
  private static final List<String> UNLOCKED =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions");

  private static final Pattern SWITCH = Pattern.compile("\\s*bool (\\w+)\\s+= (true|false) .*");

  /** They wait for a key or a file, or run tests of the VM and no program. */
  private static final Pattern NO_PROGRAM =
      Pattern.compile(
          "ShowMessageBoxOnError|PauseAtStartup|PauseAtExit|.*UnitTests.*|BootstrapJVMCI");

  private Pool pool;
  private Path classes;

  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    String[] kinds = {"kinds/VmOptions", "kinds/Services", "kinds/References", "kinds/Reflection"};
    classes = Programs.compile(pool.work().resolve("classes"), kinds);
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private List<String> switches() throws Exception {
    List<String> arguments = new ArrayList<>(UNLOCKED);
    arguments.addAll(List.of("-XX:+PrintFlagsFinal", "-version"));
    return stock(arguments)
        .out()
        .lines()
        .map(SWITCH::matcher)
        .filter(m -> m.matches() && !NO_PROGRAM.matcher(m.group(1)).matches())
        .map(m -> "-XX:" + (m.group(2).equals("true") ? "-" : "+") + m.group(1))
        .toList();
  }

  private Outcome stock(List<String> arguments) throws Exception {
    return comparable(pool.stock(arguments));
  }

  private Outcome pooled(List<String> arguments) throws Exception {
    Outcome outcome = comparable(pool.run(arguments));
    pool.awaitIdle();
    return outcome;
  }

  /** Without the pids in names of heap dumps, and the times of warnings. */
  private static Outcome comparable(Outcome outcome) {
    return outcome.normalised(
        text -> text.replaceAll("java_pid\\d+", "java_pid").replaceAll("\\[\\d+[.,]\\d+s]", "[s]"));
  }

  private List<String> arguments(String flag, String what) {
    List<String> arguments = new ArrayList<>(UNLOCKED);
    arguments.addAll(List.of(flag, "-XX:MaxDirectMemorySize=48m", "-Dshown=1", "-Xmx256m"));
    arguments.addAll(List.of("-cp", classes.toString(), "kinds.Kind", what));
    arguments.add("VmOptions,Services,References,Reflection");
    return arguments;
  }

  /** What became of this switch, in a word. */
  private String check(String flag) throws Exception {
    List<String> probe = arguments(flag, "probe");
    Outcome expected = stock(probe);
    if (!expected.out().endsWith("end of probe\n")) {
      return "no JVM starts with it";
    } else if (!expected.equals(stock(probe))) {
      return "two stock JVMs differ";
    }
    compare(flag + ", first run", expected, pooled(probe));
    if (pool.servedLast() == 0) {
      return "cold";
    }
    pooled(arguments(flag, "dirty"));
    compare(flag + ", second run", expected, pooled(probe));
    try {
      pool.assertOneJvmServedLast(3);
    } catch (AssertionError e) {
      failures.add(flag + ": " + e.getMessage());
    }
    return "pooled";
  }

  private void compare(String when, Outcome expected, Outcome seen) {
    seen.differences(expected).forEach(line -> failures.add(when + ":\n  " + line));
  }

  @Test
  void runsAreAsOnAStockJvmThatIsStartedSo() throws Exception {
    List<String> all = switches();
    for (String flag : all) {
      counts.merge(check(flag), 1, Integer::sum);
      pool.retireAll();
    }
    System.out.println(all.size() + " switches: " + counts);
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
    assertTrue(counts.get("pooled") > all.size() / 2, counts::toString);
  }
}
