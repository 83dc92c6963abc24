// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import io.hottub.it.harness.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All that starts applications beside {@code spark-submit}; what they print is the result. */
@NeedsHome
@Tag("long")
class SparkShellsIT extends SparkOnYarn {
  private static final Pattern SUM = Pattern.compile("(?m)^sum (\\d+)$");

  @Override
  protected String version() {
    return "3";
  }

  /** A sum is the result, which the shell prints at the begin of a line. */
  private String ofShell(String command, String typed) throws Exception {
    Path input = Files.writeString(folder().resolve("typed"), typed);
    return assertWarmAndEqual(
        (pooled, result) -> {
          SparkRun run =
              spark.runLine(
                  command.replace("ASKED", "spark.hottub.enabled=" + pooled) + " <" + input);
          assertEquals(0, run.end(), run.log());
          Matcher sum = SUM.matcher(run.log());
          assertTrue(sum.find(), run.log());
          Files.writeString(Path.of(result), sum.group(1));
          return run;
        });
  }

  @Test
  void sql() throws Exception {
    Path folder = folder();
    String sql =
        "bin/spark-sql -S --hiveconf hive.exec.scratchdir="
            + folder.resolve("scratch")
            + " --conf spark.driver.memory=1g --conf spark.sql.warehouse.dir="
            + folder.resolve("warehouse").toUri()
            + " --conf ASKED";
    String statement = "SELECT concat('sum ', sum(id)) FROM range(0, 1000, 1, 2);\n";
    assertEquals("499500", ofShell(sql, statement));
  }

  /** What Python runs first at a terminal comes first here, too. */
  @Test
  void python() throws Exception {
    String typed =
        "from pyspark.shell import spark\n"
            + "print('sum ' + str(spark.range(1000).selectExpr('sum(id)').head()[0]))\n";
    assertEquals(
        "499500", ofShell("PYTHONPATH=python/lib/pyspark.zip bin/pyspark --conf ASKED", typed));
  }

  @Test
  void scala() throws Exception {
    String typed = "println(\"sum \" + spark.range(1000).selectExpr(\"sum(id)\").head.get(0))\n";
    assertEquals("499500", ofShell("bin/spark-shell --conf ASKED", typed));
  }

  @Test
  void launcher() throws Exception {
    Path program = Programs.program("SparkLaunches.java");
    assertEquals(
        SUMS,
        assertWarmAndEqual(
            (pooled, result) ->
                spark.runLine(
                    "\"$JAVA_HOME\"/bin/java -cp 'jars/*' "
                        + String.join(" ", program.toString(), "" + pooled, "job.jar", result))));
  }

  /** Where somebody types, line editors work: the JVM is cold. */
  private void edit(String command, String prompt, String typed, String seen) throws Exception {
    for (Path home : List.of(Path.of(System.getProperty("java.home")), Home.path())) {
      try (Terminal terminal = new Terminal(pool)) {
        terminal.command("export TERM=xterm SPARK_LOCAL_IP=127.0.0.1 SPARK_HOME=" + spark.path());
        terminal.type("JAVA_HOME=" + home + " $SPARK_HOME/bin/" + command + "\n").await(prompt);
        terminal.type(typed + "\n").await(seen);
      }
    }
    List<String> trace = Files.readAllLines(pool.trace());
    String last = trace.get(trace.size() - 1);
    assertTrue(last.contains("\"reason\":\"terminal\""), last);
  }

  @Test
  void shellsEditLinesAtATerminal() throws Exception {
    edit("beeline", "beeline> ", "elp" + Terminal.CTRL_A + "!h", "!addlocaldriverjar");
    edit("spark-shell --master 'local[1]'", "scala> ", "7 * 6" + Terminal.CTRL_A + "1", "= 102");
  }
}
