// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.TempPool;
import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import io.hottub.protocol.doctor.Finding.Result;
import io.hottub.yarn.config.FakeHome;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.pool.PolicyLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each check of nodes, with settings that are right and with some that are wrong. */
class NodeChecksTest {
  private static final String EXECUTOR = YarnConfiguration.NM_CONTAINER_EXECUTOR;
  private static final String LIMIT_USERS = YarnConfiguration.NM_NONSECURE_MODE_LIMIT_USERS;

  private final Configuration conf = new Configuration(false);
  @TempDir Path folder;
  private TempPool temp;
  private Map<String, String> environment;

  @BeforeEach
  void settingsAsTheyShouldBe() throws Exception {
    temp = new TempPool();
    environment = Map.of("HOTTUB_DIR", temp.pool().root().toString());
    conf.set(YarnConfiguration.NM_AUX_SERVICES, "mapreduce_shuffle, hottub");
    conf.set("yarn.nodemanager.aux-services.hottub.class", "io.hottub.yarn.HotTubAuxService");
    conf.set(HotTubConfig.HOME.name(), folder.toString());
    conf.set(EXECUTOR, "io.hottub.yarn.HotTubContainerExecutor");
    conf.set(YarnConfiguration.NM_CONTAINER_MON_PROCESS_TREE, "io.hottub.yarn.HotTubProcessTree");
    conf.set(YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED, "false");
    conf.set(YarnConfiguration.NM_VMEM_CHECK_ENABLED, "false");
    conf.set(YarnConfiguration.NM_PMEM_MB, "1000");
    conf.set(HotTubConfig.IDLE_MEMORY_MB.name(), "24");
    PolicyLimits.read(conf).shared().write(temp.pool());
  }

  @AfterEach
  void removePool() throws Exception {
    temp.close();
  }

  private static void assertOk(Check check) throws Exception {
    Finding finding = check.look();
    assertEquals(Result.OK, finding.result(), finding.text());
  }

  private static void assertFound(Result result, String text, Check check) throws Exception {
    Finding finding = check.look();
    assertEquals(result, finding.result(), finding.text());
    assertTrue(finding.text().contains(text), finding.text());
  }

  private void ownUsers() {
    conf.set(EXECUTOR, "io.hottub.yarn.HotTubLinuxContainerExecutor");
    conf.set(LIMIT_USERS, "false");
  }

  @Test
  void hadoop() throws Exception {
    assertOk(new HadoopCheck("3.5.0"));
    assertFound(Result.FAILED, "does not know Hadoop 3.2.4", new HadoopCheck("3.2.4"));
  }

  @Test
  void settings() throws Exception {
    FakeHome.create(folder);
    assertOk(new SettingsCheck(conf));
    conf.set(HotTubConfig.MAX_JVMS.name(), "many");
    conf.set("yarn.nodemanager.aux-services.hottub.max-jvm", "4");
    assertFound(Result.FAILED, "max-jvms is \"many\", not 0 to 1024", new SettingsCheck(conf));
    assertFound(Result.FAILED, "max-jvm is no setting of HotTub", new SettingsCheck(conf));
  }

  private ServiceCheck service() {
    return new ServiceCheck(conf, environment);
  }

  @Test
  void serviceThatIsNamed() throws Exception {
    assertOk(service());
    conf.set(YarnConfiguration.NM_AUX_SERVICES, "mapreduce_shuffle");
    assertFound(Result.FAILED, "does not name hottub", service());
    conf.set(YarnConfiguration.NM_AUX_SERVICES_MANIFEST_ENABLED, "true");
    assertOk(service());
  }

  @Test
  void serviceOfAnotherClass() throws Exception {
    conf.unset("yarn.nodemanager.aux-services.hottub.class");
    assertFound(Result.FAILED, "hottub.class is not io.hottub", service());
  }

  @Test
  void serviceThatHasNotStartedWithTheseSettings() throws Exception {
    conf.set(HotTubConfig.MAX_LEASES.name(), "7");
    assertFound(Result.WARNING, "are not those of yarn-site.xml", service());
    Files.delete(temp.pool().userFolder().resolve("limits"));
    assertFound(Result.FAILED, "no NodeManager of this user has prepared the pool", service());
  }

  @Test
  void serviceWithoutAPool() throws Exception {
    environment = Map.of("HOTTUB_DIR", "/proc/nothing/here");
    assertFound(Result.FAILED, "the service has no pool: HOTTUB_DIR is /proc/nothing", service());
  }

  @ParameterizedTest
  @ValueSource(strings = {"HotTubContainerExecutor", "HotTubLinuxContainerExecutor"})
  void executor(String ours) throws Exception {
    conf.set(EXECUTOR, "io.hottub.yarn." + ours);
    assertOk(new ExecutorCheck(conf));
    conf.unset(HotTubConfig.HOME.name());
    assertFound(Result.FAILED, "hottub.home says nothing", new ExecutorCheck(conf));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Linux"})
  void executorOfYarn(String kind) throws Exception {
    String stock = kind.isEmpty() ? "Default" : kind;
    conf.set(EXECUTOR, "org.apache.hadoop.yarn.server.nodemanager." + stock + "ContainerExecutor");
    assertFound(Result.FAILED, "are not routed", new ExecutorCheck(conf));
    assertTrue(
        new ExecutorCheck(conf)
            .look()
            .todo()
            .contains("to io.hottub.yarn.HotTub" + kind + "ContainerExecutor"));
  }

  private TenantCheck tenant() {
    return new TenantCheck(conf, environment);
  }

  @Test
  void tenantsThatShareAUnixUser() throws Exception {
    assertOk(tenant());
    conf.unset(EXECUTOR);
    assertFound(Result.WARNING, "share JVMs", tenant());
  }

  @Test
  void tenantsWithUnixUsersOfTheirOwn() throws Exception {
    ownUsers();
    assertFound(Result.FAILED, "who may have no pools", tenant());
    Files.setAttribute(temp.pool().root(), "unix:mode", 01777);
    assertOk(tenant());
    conf.set(EXECUTOR, NodeSettings.LINUX_EXECUTOR);
    assertOk(tenant());
    Files.setPosixFilePermissions(temp.pool().root(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertFound(Result.FAILED, "and not sticky", tenant());
  }

  @Test
  void processTree() throws Exception {
    assertOk(new ProcessTreeCheck(conf));
    conf.unset(YarnConfiguration.NM_CONTAINER_MON_PROCESS_TREE);
    assertFound(Result.FAILED, "charged to nobody", new ProcessTreeCheck(conf));
  }

  @Test
  void memoryCheck() throws Exception {
    assertOk(new MemoryCheck(conf));
    conf.set(YarnConfiguration.NM_PMEM_CHECK_ENABLED, "false");
    assertFound(Result.WARNING, "nobody keeps", new MemoryCheck(conf));
    conf.unset(YarnConfiguration.NM_PMEM_CHECK_ENABLED);
    conf.unset(YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED);
    assertFound(Result.WARNING, "nobody keeps", new MemoryCheck(conf));
    conf.set(YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED, "true");
    assertFound(Result.WARNING, "nobody keeps", new MemoryCheck(conf));
    ownUsers();
    assertOk(new MemoryCheck(conf));
  }

  @Test
  void memoryCheckOfTheAddressSpace() throws Exception {
    conf.unset(YarnConfiguration.NM_VMEM_CHECK_ENABLED);
    assertFound(Result.WARNING, "address space", new MemoryCheck(conf));
    conf.unset(YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED);
    assertFound(Result.WARNING, "nobody keeps", new MemoryCheck(conf));
    conf.set(YarnConfiguration.NM_ELASTIC_MEMORY_CONTROL_ENABLED, "true");
    assertFound(Result.WARNING, "address space", new MemoryCheck(conf));
  }

  @Test
  void limits() throws Exception {
    assertOk(new LimitsCheck(conf, 1024));
    assertFound(
        Result.WARNING,
        "more memory is promised than there is: containers 1000 MiB, idle JVMs 24 MiB, the machine"
            + " 1023 MiB",
        new LimitsCheck(conf, 1023));
    conf.set(HotTubConfig.YIELD_TO_CONTAINERS.name(), "true");
    assertOk(new LimitsCheck(conf, 1000));
    assertFound(Result.WARNING, "more memory is promised", new LimitsCheck(conf, 999));
  }

  @Test
  void limitsThatContradictEachOther() throws Exception {
    conf.set(HotTubConfig.MAX_JVMS.name(), "1");
    conf.set(HotTubConfig.MIN_IDLE.name(), "2");
    assertFound(Result.WARNING, "more than the 1 JVMs", new LimitsCheck(conf, 1024));
    conf.set(HotTubConfig.MAX_JVMS.name(), "0");
    assertFound(Result.WARNING, "pooling is off", new LimitsCheck(conf, 1024));
  }

  @Test
  void pressure() throws Exception {
    Path file = folder.resolve("memory");
    conf.set(HotTubConfig.PRESSURE_FILE.name(), file.toString());
    assertFound(Result.WARNING, "there is no " + file, new PressureCheck(conf));
    Files.createFile(file);
    assertOk(new PressureCheck(conf));
  }

  private CgroupsCheck cgroups() throws Exception {
    Path mounts = folder.resolve("mounts");
    Files.writeString(mounts, "cgroup2 " + folder + " cgroup2 rw 0 0\n");
    return new CgroupsCheck(mounts, conf);
  }

  @Test
  void cgroupsAreNotUsed() throws Exception {
    assertEquals(Result.NOT_APPLICABLE, cgroups().look().result());
    conf.set(YarnConfiguration.NM_CPU_RESOURCE_ENABLED, "true");
    assertEquals(
        Result.NOT_APPLICABLE, cgroups().look().result(), "only the Linux executor has them");
  }

  @Test
  void cgroupsWithAGroupForIdleJvms() throws Exception {
    ownUsers();
    conf.set(YarnConfiguration.NM_CPU_RESOURCE_ENABLED, "true");
    assertFound(Result.WARNING, "YARN has made no control groups", cgroups());
    Path containers = Files.createDirectory(folder.resolve("hadoop-yarn"));
    assertFound(Result.WARNING, "or there is none", cgroups());
    Files.createDirectory(containers.resolve("hottub"));
    assertOk(cgroups());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED,
        YarnConfiguration.NM_LINUX_CONTAINER_CGROUPS_STRICT_RESOURCE_USAGE
      })
  void cgroupsWithLimitsForOtherUsers(String limit) throws Exception {
    Files.createDirectories(folder.resolve("hadoop-yarn/hottub"));
    ownUsers();
    conf.set(YarnConfiguration.NM_CPU_RESOURCE_ENABLED, "true");
    conf.set(limit, "true");
    assertFound(Result.WARNING, "runs are cold (cgroup-limits)", cgroups());
    conf.set(LIMIT_USERS, "true");
    assertOk(cgroups());
    conf.set("hadoop.security.authentication", "kerberos");
    assertFound(Result.WARNING, "runs are cold (cgroup-limits)", cgroups());
  }
}
