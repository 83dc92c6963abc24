// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.Isolation;
import io.hottub.protocol.PoolDirectory;
import io.hottub.yarn.HotTubLinuxContainerExecutor;
import io.hottub.yarn.config.FakeHome;
import io.hottub.yarn.config.IsolationPolicy;
import io.hottub.yarn.log.LogLines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.tez.dag.api.records.DAGProtos.ConfigurationProto;
import org.apache.tez.dag.api.records.DAGProtos.PlanKeyValuePair;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchRouterTest {
  @TempDir Path temp;

  private final MetricRegistry registry = new MetricRegistry();
  private final Configuration conf = new Configuration(false);
  private Path home;
  private LaunchRouter router;

  @BeforeEach
  void createHome() throws IOException {
    home = FakeHome.create(temp.resolve("home"));
    router = router(Optional.of(home));
  }

  private LaunchRouter router(Optional<Path> home) throws IOException {
    return new LaunchRouter(
        PoolDirectory.at(Path.of("/run/pool")),
        home,
        new IsolationPolicy(Isolation.CLONE, Map.of("bank", Isolation.STRICT)),
        ContainerFiles.read(conf),
        NodeLimits.read(conf, PoolDirectory.at(temp.resolve("pool"))),
        "/node/jdk",
        registry);
  }

  private Map<String, Path> spark(String... lines) throws IOException {
    Path archive = Files.createDirectories(temp.resolve("12/__spark_conf__.zip"));
    Files.writeString(
        archive.resolve("__spark_conf__.properties"), String.join("\n", lines) + "\n");
    return Map.of("__spark_conf__", archive, "__spark_libs__", temp);
  }

  private Map<String, Path> tez(String enabled) throws IOException {
    return tez(enabled, "tez.other", "");
  }

  private Map<String, Path> tez(String enabled, String key, String value) throws IOException {
    Path file = temp.resolve("tez-conf.pb");
    try (OutputStream out = Files.newOutputStream(file)) {
      ConfigurationProto.newBuilder()
          .addConfKeyValues(
              PlanKeyValuePair.newBuilder().setKey("tez.hottub.enabled").setValue(enabled))
          .addConfKeyValues(PlanKeyValuePair.newBuilder().setKey(key).setValue(value))
          .build()
          .writeTo(out);
    }
    return Map.of("tez-conf.pb", file);
  }

  private Map<String, Path> mapReduce(Map<String, String> settings) throws IOException {
    Configuration job = new Configuration(false);
    // As Hive has them, for one.
    job.set("a.value.that.xml.cannot.have", "\u0001");
    settings.forEach(job::set);
    Path file = temp.resolve("job.xml");
    try (OutputStream out = Files.newOutputStream(file)) {
      job.writeXml(out);
    }
    return Map.of("job.xml", file, "job.jar", temp);
  }

  private long counter(String name) {
    return registry.counter(name).getCount();
  }

  @Test
  void outcomesBeginAtZero() {
    Set<String> names = registry.getCounters().keySet();
    for (String engine : List.of("spark", "tez", "mapreduce")) {
      for (String outcome :
          List.of(
              "routed",
              "own-java-home",
              "no-home",
              "other-runtime",
              "unreadable-settings",
              "left-to-script")) {
        assertTrue(names.contains("launch." + engine + "." + outcome), outcome);
      }
    }
  }

  @Test
  void everyContainerFindsThePoolOfItsTenant() {
    assertEquals(
        Map.of(
            "A", "1",
            "HOTTUB_DIR", "/run/pool",
            "HOTTUB_TENANT", "alice",
            "HOTTUB_ISOLATION", "clone"),
        router.route(Map.of("A", "1", "HOTTUB_TENANT", "bob"), Map.of(), "alice"));
  }

  @Test
  void anApplicationMayHaveAPoolOfItsOwn() {
    Map<String, String> environment = Map.of("HOTTUB_DIR", "/mine");
    assertEquals("/mine", router.route(environment, Map.of(), "alice").get("HOTTUB_DIR"));
  }

  @Test
  void sparkAsksWithOneSetting() throws Exception {
    Map<String, Path> files = spark("#Spark", "spark.a=b", "spark.hottub.enabled=true");
    assertEquals(home.toString(), router.route(Map.of(), files, "alice").get("JAVA_HOME"));
    assertEquals(1, counter("launch.spark.routed"));
  }

  @Test
  void sparkThatDoesNotAsk() throws Exception {
    assertEquals(null, router.route(Map.of(), spark("spark.a=b"), "alice").get("JAVA_HOME"));
    Map<String, Path> files = spark("spark.hottub.enabled=false");
    assertEquals(null, router.route(Map.of(), files, "alice").get("JAVA_HOME"));
  }

  @Test
  void tezAsksWithOneSetting() throws Exception {
    assertEquals(home.toString(), router.route(Map.of(), tez("true"), "alice").get("JAVA_HOME"));
    assertEquals(null, router.route(Map.of(), tez("false"), "alice").get("JAVA_HOME"));
    assertEquals(1, counter("launch.tez.routed"));
  }

  @Test
  void mapReduceAsksWithOneSetting() throws Exception {
    Map<String, Path> files = mapReduce(Map.of("mapreduce.hottub.enabled", "true"));
    assertEquals(home.toString(), router.route(Map.of(), files, "alice").get("JAVA_HOME"));
    assertEquals(1, counter("launch.mapreduce.routed"));
    files = mapReduce(Map.of("mapreduce.hottub.enabled", "false"));
    assertEquals(null, router.route(Map.of(), files, "alice").get("JAVA_HOME"));
    files = mapReduce(Map.of("mapreduce.other", "true"));
    assertEquals(null, router.route(Map.of(), files, "alice").get("JAVA_HOME"));
  }

  private String isolation(Map<String, String> environment, Map<String, Path> files, String user) {
    return router.route(environment, files, user).get("HOTTUB_ISOLATION");
  }

  @Test
  void theIsolationOfTheUserComesBeforeThatOfTheNode() {
    assertEquals("clone", isolation(Map.of(), Map.of(), "alice"));
    assertEquals("strict", isolation(Map.of(), Map.of(), "bank"));
  }

  @Test
  void theIsolationOfTheApplicationComesBeforeThatOfTheUser() throws Exception {
    Map<String, Path> files = spark("spark.hottub.enabled=true", "spark.hottub.isolation=reuse");
    assertEquals("reuse", isolation(Map.of(), files, "alice"));
    assertEquals("reuse", isolation(Map.of(), files, "bank"));
    assertEquals("clone", isolation(Map.of("HOTTUB_ISOLATION", "clone"), files, "bank"));
    Map<String, Path> unasked = spark("spark.hottub.isolation=reuse");
    assertEquals("strict", isolation(Map.of(), unasked, "bank"));
    Map<String, Path> tez = tez("true", "tez.hottub.isolation", "reuse");
    assertEquals("reuse", isolation(Map.of(), tez, "bank"));
    Map<String, Path> mapReduce =
        mapReduce(
            Map.of("mapreduce.hottub.enabled", "true", "mapreduce.hottub.isolation", "reuse"));
    assertEquals("reuse", isolation(Map.of(), mapReduce, "bank"));
  }

  @Test
  void noContainerTrainsWhatIsForRecipes() {
    Map<String, String> own = Map.of("HOTTUB_TRAINING", "1");
    assertEquals(null, router.route(own, Map.of(), "alice").get("HOTTUB_TRAINING"));
  }

  @Test
  void anIsolationThatThereIsNotIsSaid() throws Exception {
    Map<String, Path> files = spark("spark.hottub.enabled=true", "spark.hottub.isolation=a\"$(b)");
    try (LogLines lines = new LogLines(LaunchRouter.class)) {
      Map<String, String> routed = router.route(Map.of(), files, "alice");
      assertEquals("clone", routed.get("HOTTUB_ISOLATION"));
      assertEquals(home.toString(), routed.get("JAVA_HOME"), "it runs with the node's own");
      assertEquals(
          List.of(
              "WARN A spark application wants an isolation that is not reuse, clone or strict; the"
                  + " node's own is used"),
          lines.get());
    }
  }

  @Test
  void theApplicationsOwnJavaHomeStays() throws Exception {
    Map<String, Path> files = spark("spark.hottub.enabled=true");
    Map<String, String> environment = Map.of("JAVA_HOME", "/jdk");
    assertEquals("/jdk", router.route(environment, files, "alice").get("JAVA_HOME"));
    assertEquals(1, counter("launch.spark.own-java-home"));
  }

  /** The JAVA_HOME of a container of the runtime that it names, and that the node has else. */
  private String homeIn(Map<String, String> environment, String runtimeOfNode) throws Exception {
    conf.set(YarnConfiguration.LINUX_CONTAINER_RUNTIME_TYPE, runtimeOfNode);
    Map<String, Path> files = spark("spark.hottub.enabled=true");
    return router(Optional.of(home)).route(environment, files, "alice").get("JAVA_HOME");
  }

  @Test
  void containersWithAnImageOfTheirOwnRunCold() throws Exception {
    conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, HotTubLinuxContainerExecutor.class.getName());
    Map<String, String> docker = Map.of("YARN_CONTAINER_RUNTIME_TYPE", "docker");
    Map<String, String> none = Map.of("YARN_CONTAINER_RUNTIME_TYPE", "default");
    assertEquals(null, homeIn(docker, "default"));
    assertEquals(null, homeIn(Map.of("YARN_CONTAINER_RUNTIME_TYPE", "runc"), "default"));
    assertEquals(null, homeIn(Map.of(), "docker"));
    assertEquals(3, counter("launch.spark.other-runtime"));
    assertEquals(home.toString(), homeIn(none, "docker"));
    assertEquals(home.toString(), homeIn(Map.of(), "default"));
    conf.unset(YarnConfiguration.NM_CONTAINER_EXECUTOR);
    assertEquals(
        home.toString(), homeIn(docker, "docker"), "YARN's default executor has no images");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bin/java", "conf/security/java.security", "lib/security/cacerts"})
  void aHomeThatIsNotWholeIsSaidOnce(String needed) throws Exception {
    Map<String, Path> files = spark("spark.hottub.enabled=true");
    Path file = home.resolve(needed);
    Path aside = home.resolve("aside");
    try (LogLines lines = new LogLines(LaunchRouter.class)) {
      Files.move(file, aside);
      router.route(Map.of(), files, "alice");
      assertEquals(null, router.route(Map.of(), files, "alice").get("JAVA_HOME"));
      Files.move(aside, file);
      router.route(Map.of(), files, "alice");
      router.route(Map.of(), files, "alice");
      assertEquals(
          List.of(
              "WARN Containers ask for HotTub and run cold: its home is not whole: there is no "
                  + file,
              "INFO Containers that ask for HotTub find its home whole again"),
          lines.get());
    }
  }

  @Test
  void withoutAUsableHomeContainersRunCold() throws Exception {
    Map<String, Path> files = spark("spark.hottub.enabled=true");
    Files.delete(home.resolve("bin/java"));
    assertEquals(null, router.route(Map.of(), files, "alice").get("JAVA_HOME"));

    LaunchRouter homeless = router(Optional.empty());
    assertEquals(null, homeless.route(Map.of(), files, "alice").get("JAVA_HOME"));
    assertEquals(2, counter("launch.spark.no-home"));
  }

  @Test
  void settingsThatCannotBeReadRunCold() throws Exception {
    Map<String, Path> files = spark("spark.hottub.enabled=\\u00");
    assertEquals(null, router.route(Map.of(), files, "alice").get("JAVA_HOME"));
    Map<String, Path> nowhere = Map.of("tez-conf.pb", temp.resolve("nowhere"));
    assertEquals(null, router.route(Map.of(), nowhere, "alice").get("JAVA_HOME"));
    Map<String, Path> large = mapReduce(Map.of("mapreduce.hottub.enabled", "true"));
    try (var file = FileChannel.open(large.get("job.xml"), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), 16L << 20);
    }
    assertEquals(null, router.route(Map.of(), large, "alice").get("JAVA_HOME"));
    assertEquals(1, counter("launch.spark.unreadable-settings"));
    assertEquals(1, counter("launch.mapreduce.unreadable-settings"));
    assertEquals(1, counter("launch.tez.unreadable-settings"));
  }

  @Test
  void settingsThatAreNoFileOrHaveNoEndRunCold() throws Exception {
    Path pipe = temp.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Path endless = Files.createSymbolicLink(temp.resolve("endless"), Path.of("/dev/zero"));
    Path archive = Files.createDirectory(temp.resolve("archive"));
    Files.createSymbolicLink(archive.resolve("__spark_conf__.properties"), endless);
    Path large = spark("spark.hottub.enabled=true").get("__spark_conf__");
    Files.write(large.resolve("__spark_conf__.properties"), new byte[(16 << 20) + 1]);
    for (Path file : List.of(pipe, endless, temp)) {
      runsCold(Map.of("job.xml", file));
      runsCold(Map.of("tez-conf.pb", file));
    }
    runsCold(Map.of("__spark_conf__", archive));
    runsCold(Map.of("__spark_conf__", large));
    assertEquals(3, counter("launch.mapreduce.unreadable-settings"));
    assertEquals(3, counter("launch.tez.unreadable-settings"));
    assertEquals(2, counter("launch.spark.unreadable-settings"));
  }

  private void runsCold(Map<String, Path> files) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> assertEquals(null, router.route(Map.of(), files, "alice").get("JAVA_HOME")));
  }

  @Test
  void containersOfOtherUsersTakeTheLimitsAlong() throws IOException {
    Map<String, String> chosen = Map.of("HOTTUB_LIMITS", "max_jvms 999");
    assertFalse(router.route(chosen, Map.of(), "alice").containsKey("HOTTUB_LIMITS"));
    conf.set("yarn.nodemanager.aux-services.hottub.max-jvms", "3");
    conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, HotTubLinuxContainerExecutor.class.getName());
    router = router(Optional.of(home));
    String limits = router.route(chosen, Map.of(), "alice").get("HOTTUB_LIMITS");
    assertTrue(limits.startsWith("max_jvms 3,"), limits);
    Path folder = PoolDirectory.at(temp.resolve("pool")).userFolder();
    Files.createDirectories(folder);
    Files.createFile(folder.resolve("drained"));
    assertEquals("disabled", router.route(chosen, Map.of(), "alice").get("HOTTUB_LIMITS"));
  }
}
