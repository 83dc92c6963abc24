// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.Isolation;
import io.hottub.yarn.config.FakeHome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch.ShellScriptBuilder;
import org.apache.tez.dag.api.records.DAGProtos.ConfigurationProto;
import org.apache.tez.dag.api.records.DAGProtos.PlanKeyValuePair;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a shell makes of the values, in a script that YARN writes. */
class LaunchScriptTest {
  private static final String NONE = "/node/jdk clone /node/jdk/bin";

  @TempDir Path temp;

  private Path home;
  private int files;

  @BeforeEach
  void createHome() throws IOException {
    home = FakeHome.create(temp.resolve("a home's \"$HOME\""));
  }

  private LaunchScript.Closed spark(String... settings) throws IOException {
    Path archive = Files.createDirectories(temp.resolve("it's $(false) " + files++ + "/archive"));
    Properties properties = new Properties();
    pairs(settings).forEach(properties::setProperty);
    Path file = archive.resolve("__spark_conf__.properties");
    try (OutputStream out = Files.newOutputStream(file)) {
      properties.store(out, "Spark configuration.");
    }
    return new LaunchScript.Closed(new SparkEngine(), file);
  }

  private LaunchScript.Closed mapReduce(String... settings) throws IOException {
    Configuration job = new Configuration(false);
    job.set("a.value.that.xml.cannot.have", "\u0001");
    pairs(settings).forEach(job::set);
    Path file = temp.resolve("job " + files++ + ".xml");
    try (OutputStream out = Files.newOutputStream(file)) {
      job.writeXml(out);
    }
    return new LaunchScript.Closed(new MapReduceEngine(), file);
  }

  private LaunchScript.Closed tez(String... settings) throws IOException {
    ConfigurationProto.Builder conf = ConfigurationProto.newBuilder();
    add(conf, "a.value", "\u0000é\n");
    pairs(settings).forEach((key, value) -> add(conf, key, value));
    add(conf, "long", "x".repeat(100_000));
    Path file = temp.resolve("tez " + files++ + ".pb");
    Files.write(file, conf.build().toByteArray());
    return new LaunchScript.Closed(new TezEngine(), file);
  }

  private static void add(ConfigurationProto.Builder conf, String key, String value) {
    conf.addConfKeyValues(PlanKeyValuePair.newBuilder().setKey(key).setValue(value));
  }

  private static Map<String, String> pairs(String... keysAndValues) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      pairs.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return pairs;
  }

  /** The node's own, as the script has it from YARN. */
  private String run(LaunchScript.Closed... settings) throws Exception {
    return run(Map.of(), settings);
  }

  private String run(Map<String, String> image, LaunchScript.Closed... settings) throws Exception {
    List<LaunchScript.Closed> closed = Arrays.asList(settings);
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("TOOLS", "$JAVA_HOME/bin");
    environment.put("JAVA_HOME", LaunchScript.javaHome(closed, home, "${JAVA_HOME:-/node/jdk}"));
    environment.put("HOTTUB_ISOLATION", LaunchScript.isolation(closed, Isolation.CLONE));
    ShellScriptBuilder script = ShellScriptBuilder.create();
    script.setExitOnFailure();
    for (var entry : script.orderEnvByDependencies(environment).entrySet()) {
      script.env(entry.getKey(), entry.getValue());
    }
    script.command(List.of("printenv JAVA_HOME HOTTUB_ISOLATION TOOLS"));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    script.write(new PrintStream(text, true, StandardCharsets.UTF_8));
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", text.toString(StandardCharsets.UTF_8))
            .redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder.environment().putAll(image);
    Process process = builder.start();
    String written = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), written);
    return String.join(" ", written.lines().toList());
  }

  private String asked(String isolation) {
    return home + " " + isolation + " " + home + "/bin";
  }

  @Test
  void whoAsksGetsTheHome() throws Exception {
    assertEquals(asked("clone"), run(spark("spark.hottub.enabled", "true", "spark.a", "b")));
    assertEquals(asked("clone"), run(mapReduce("a", "b", "mapreduce.hottub.enabled", "true")));
    assertEquals(asked("clone"), run(tez("tez.hottub.enabled", "true", "z", "b")));
    assertEquals(asked("clone"), run(tez("tez.hottub.enabled", " TRUE ")));
    assertEquals(asked("clone"), run(mapReduce(), tez("tez.hottub.enabled", "true")));
  }

  @Test
  void andTheIsolationThatItHasChosen() throws Exception {
    for (String word : List.of("reuse", "clone", "strict")) {
      assertEquals(
          asked(word), run(spark("spark.hottub.enabled", "true", "spark.hottub.isolation", word)));
      assertEquals(
          asked(word),
          run(mapReduce("mapreduce.hottub.enabled", "true", "mapreduce.hottub.isolation", word)));
      assertEquals(
          asked(word), run(tez("tez.hottub.enabled", "true", "tez.hottub.isolation", word)));
    }
    assertEquals(
        asked("clone"), run(tez("tez.hottub.enabled", "true", "tez.hottub.isolation", "reused")));
  }

  @Test
  void whoDoesNotAskGetsWhatYarnGives() throws Exception {
    for (String word : List.of("false", "", "untrue", "trueish")) {
      assertEquals(NONE, run(spark("spark.hottub.enabled", word)), word);
      assertEquals(NONE, run(mapReduce("mapreduce.hottub.enabled", word)), word);
      assertEquals(NONE, run(tez("tez.hottub.enabled", word)), word);
    }
    assertEquals(NONE, run(spark("not.spark.hottub.enabled", "true")));
    assertEquals(NONE, run(spark("spark.hottub.isolation", "reuse")));
    assertEquals(NONE, run(mapReduce("not.mapreduce.hottub.enabled", "true")));
    assertEquals(NONE, run(tez("not.tez.hottub.enabled", "true")));
    assertEquals(NONE, run(tez("a", "tez.hottub.enabled=true")));
  }

  @Test
  void whatFailsIsAsWithoutHotTub() throws Exception {
    LaunchScript.Closed asks = spark("spark.hottub.enabled", "true");
    assertEquals(NONE, run(new LaunchScript.Closed(new SparkEngine(), temp.resolve("nowhere"))));
    assertEquals(
        "/image/jdk clone /image/jdk/bin", run(Map.of("JAVA_HOME", "/image/jdk"), spark()));
    Files.delete(home.resolve("bin/java"));
    assertEquals(NONE, run(asks));
  }
}
