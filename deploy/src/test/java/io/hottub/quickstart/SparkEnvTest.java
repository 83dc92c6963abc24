// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The line in spark-env.sh that puts spark-submit's own JVMs on HotTub. */
class SparkEnvTest {
  private static final String ON = "--conf spark.hottub.enabled=true";

  @TempDir Path folder;

  @BeforeEach
  void install() throws Exception {
    Files.createDirectories(folder.resolve("conf"));
    Files.createDirectories(folder.resolve("home/bin"));
    Files.createDirectories(folder.resolve("spark"));
    Files.copy(
        Path.of("dist/conf/spark-env-hottub.sh"), folder.resolve("conf/spark-env-hottub.sh"));
    Files.createFile(folder.resolve("home/bin/java")).toFile().setExecutable(true);
  }

  /** Sources the script as Spark does, and prints what its caller then has. */
  private String homeFor(String arguments) throws Exception {
    return homeFor("spark-class", arguments);
  }

  private String homeFor(String caller, String arguments) throws Exception {
    return shown("JAVA_HOME", ":", caller, arguments);
  }

  /** What a variable is afterwards, and before it whether there are new ones. */
  private String shown(String variable, String before, String caller, String arguments)
      throws Exception {
    String script =
        "set -ua; JAVA_HOME=stock; "
            + before
            + "; SPARK_CONF_DIR="
            + folder.resolve("spark")
            + "; before=$(compgen -v | sort); . "
            + folder.resolve("conf/spark-env-hottub.sh")
            + "; [[ $before == \"$(compgen -v | grep -vx before | sort)\" ]] || echo new names; echo \"$"
            + variable
            + "\"";
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", script, caller);
    bash.environment().remove("HOTTUB_ISOLATION");
    bash.command().addAll(java.util.List.of(arguments.split(" ")));
    Process process = bash.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out.strip().replace(folder.toString(), "");
  }

  @Test
  void nothingChangesUnlessItIsAskedFor() throws Exception {
    assertEquals("stock", homeFor("--master yarn job.jar"));
    assertEquals("stock", homeFor("--conf spark.hottub.enabled=false job.jar"));
  }

  @Test
  void asksByAnOption() throws Exception {
    assertEquals("/home", homeFor("org.apache.spark.deploy.SparkSubmit --verbose " + ON + " job"));
    assertEquals("/home", homeFor("--conf=spark.hottub.enabled=TRUE"));
  }

  @Test
  void theApplicationsArgumentsAreItsOwn() throws Exception {
    assertEquals("stock", homeFor("--name x job.jar " + ON));
    assertEquals("stock", homeFor("--name " + ON.replace(" ", "=") + " job.jar"));
  }

  @Test
  void shellsMixSparksOptionsWithTheirOwn() throws Exception {
    String submit = "org.apache.spark.deploy.SparkSubmit ";
    String sql = "--class org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver ";
    assertEquals("/home", homeFor(submit + sql + "-S " + ON));
    assertEquals("/home", homeFor(submit + sql + "-e show " + ON + " --hivevar a=b"));
    assertEquals("/home", homeFor(submit + "--class org.apache.spark.repl.Main -I x.scala " + ON));
    assertEquals("/home", homeFor("bin/pyspark", "--name x " + ON));
    assertEquals("/home", homeFor(submit + "pyspark-shell-main --name x " + ON));
    assertEquals("/home", homeFor(submit + "run-example " + ON + " SparkPi"));
    assertEquals("/home", homeFor("/x/sbin/start-thriftserver.sh", "--hiveconf a=b " + ON));
    String connect = "--class org.apache.spark.sql.connect.service.SparkConnectServer ";
    assertEquals("/home", homeFor(submit + connect + "-x " + ON));
    assertEquals("stock", homeFor(submit + "--class my.Main -S " + ON));
    assertEquals("stock", homeFor(submit + sql + "-S -e " + ON.replace("conf ", "x=")));
  }

  /** Those of SparkSubmitOptionParser that take a value: the option after it counts. */
  @Test
  void valuesOfOptionsAreNoOptions() throws Exception {
    assertEquals("stock", homeFor("--driver-java-options " + ON + " job.jar"));
    assertEquals("/home", homeFor("--driver-java-options -Da=b " + ON + " job.jar"));
    assertEquals("/home", homeFor("--conf a=b -c spark.hottub.enabled=true job.jar"));
    assertEquals("stock", homeFor(ON + " -c spark.hottub.enabled=false job.jar"));
  }

  @Test
  void asksByAFileOfSettings() throws Exception {
    Path defaults = folder.resolve("spark/spark-defaults.conf");
    Files.writeString(defaults, "spark.master yarn\nspark.hottub.enabled \t true \n");
    assertEquals("/home", homeFor("job.jar"));
    assertEquals("stock", homeFor("--conf spark.hottub.enabled=false job.jar"));
    Files.writeString(defaults, "#spark.hottub.enabled=true\nspark.hottub.enabled: false\n");
    assertEquals("stock", homeFor("job.jar"));
    Path own = Files.writeString(folder.resolve("own.conf"), "spark.hottub.enabled=true\n");
    assertEquals("/home", homeFor("--properties-file " + own + " job.jar"));
  }

  /** As Spark 4: a setting that the one file does not have comes from the other. */
  @Test
  void asksByBothFilesOfSettings() throws Exception {
    Path defaults = folder.resolve("spark/spark-defaults.conf");
    Files.writeString(defaults, "spark.hottub.enabled true\n");
    Path own = Files.writeString(folder.resolve("own.conf"), "spark.master yarn\n");
    String arguments = "--properties-file " + own + " job.jar";
    assertEquals("stock", homeFor(arguments));
    assertEquals("/home", homeFor("--load-spark-defaults " + arguments));
    Files.writeString(own, "spark.hottub.enabled false\n");
    assertEquals("stock", homeFor("--load-spark-defaults " + arguments));
  }

  @Test
  void aPipeOfSettingsIsLeftToSpark() throws Exception {
    String given = "exec 9< <(echo spark.hottub.enabled=true)";
    assertEquals(
        "spark.hottub.enabled=true",
        shown("(cat <&9)", given, "spark-class", "--properties-file /dev/fd/9 job.jar"));
  }

  private String isolationFor(String before, String arguments) throws Exception {
    return shown("{HOTTUB_ISOLATION-none}", before, "spark-class", arguments);
  }

  @Test
  void theIsolationGoesIntoTheEnvironment() throws Exception {
    String clone = "--conf spark.hottub.isolation=clone";
    assertEquals("new names\nclone", isolationFor(":", ON + " " + clone + " job.jar"));
    assertEquals("new names\nclone", isolationFor(":", clone.replaceFirst(" ", "=") + " " + ON));
    assertEquals("reuse", isolationFor("HOTTUB_ISOLATION=reuse", ON + " " + clone), "the user's");
    assertEquals("reuse", isolationFor("HOTTUB_ISOLATION=reuse", "job.jar " + ON + " " + clone));
    assertEquals("none", isolationFor(":", clone + " job.jar " + ON), "HotTub is not asked for");
    assertEquals("none", isolationFor(":", ON + " job.jar " + clone), "the application's own");
    assertEquals("none", isolationFor(":", ON + " " + clone.replace("clone", "clones")));
    Path defaults = folder.resolve("spark/spark-defaults.conf");
    Files.writeString(defaults, "spark.hottub.enabled true\nspark.hottub.isolation  clone \n");
    assertEquals("new names\nclone", isolationFor(":", "job.jar"));
    assertEquals("new names\nreuse", isolationFor(":", clone.replace("clone", "reuse")));
  }

  @Test
  void withoutAHomeTheStockJvmStays() throws Exception {
    Files.delete(folder.resolve("home/bin/java"));
    assertEquals("stock", homeFor(ON + " job.jar"));
  }
}
