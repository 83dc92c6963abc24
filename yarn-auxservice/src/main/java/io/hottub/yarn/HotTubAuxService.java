// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.Journal;
import io.hottub.protocol.NoPoolException;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolMarks;
import io.hottub.protocol.doctor.Finding;
import io.hottub.protocol.doctor.JdkCheck;
import io.hottub.yarn.cluster.ClusterRegistry;
import io.hottub.yarn.cluster.ClusterSettings;
import io.hottub.yarn.cluster.NodeNames;
import io.hottub.yarn.cluster.ServedTasks;
import io.hottub.yarn.config.ConfigCheck;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.config.IsolationPolicy;
import io.hottub.yarn.config.SettingException;
import io.hottub.yarn.config.SupportedHadoop;
import io.hottub.yarn.metrics.Metrics;
import io.hottub.yarn.metrics.PoolMetrics;
import io.hottub.yarn.metrics.PrometheusServer;
import io.hottub.yarn.metrics.RunMetrics;
import io.hottub.yarn.pool.AllocatedMemory;
import io.hottub.yarn.pool.CrashBreaker;
import io.hottub.yarn.pool.IdleCgroups;
import io.hottub.yarn.pool.MemoryPressure;
import io.hottub.yarn.pool.PolicyLimits;
import io.hottub.yarn.pool.PoolObserver;
import io.hottub.yarn.pool.PoolPolicy;
import io.hottub.yarn.pool.PoolScanner;
import io.hottub.yarn.pool.PoolView;
import io.hottub.yarn.pool.PoolWatch;
import io.hottub.yarn.pool.RetireReason;
import io.hottub.yarn.recipes.NodeLoad;
import io.hottub.yarn.recipes.Recipe;
import io.hottub.yarn.recipes.RecipeFolder;
import io.hottub.yarn.recipes.RecipeRun;
import io.hottub.yarn.recipes.RecipeRunner;
import io.hottub.yarn.recipes.RecipeSchedule;
import io.hottub.yarn.recipes.RecipeUsers;
import io.hottub.yarn.recipes.WarmingTurn;
import io.hottub.yarn.web.NodePage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.apache.hadoop.yarn.server.api.ContainerInitializationContext;
import org.apache.hadoop.yarn.server.api.ContainerTerminationContext;
import org.apache.hadoop.yarn.server.nodemanager.util.NodeManagerHardwareUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool service: prepares the pool's folder and limits, watches the pooled JVMs, and ends them
 * when the NodeManager stops for good. Runs are served without it; when it cannot do its work it
 * says so in log and metrics and stays out of the way, because an auxiliary service that throws
 * would stop the NodeManager.
 */
public final class HotTubAuxService extends AuxiliaryService {
  /** The name in {@code yarn.nodemanager.aux-services}. */
  public static final String NAME = "hottub";

  private static final Logger LOG = LoggerFactory.getLogger(HotTubAuxService.class);
  private static final long STOP_SECONDS = 2;
  private static final long PRESSURE_INTERVAL_MS = 1_000;
  private static final int MEBIBYTE_SHIFT = 20;

  private final MetricRegistry registry = new MetricRegistry();
  private final PoolMetrics metrics = new PoolMetrics(registry);
  private final ServedTasks tasks = new ServedTasks();
  private final NodePage page = new NodePage(registry);
  private Metrics.Publication publication;
  private PrometheusServer prometheus;
  private PoolDirectory pool;
  private Journal journal;
  private MemoryPressure pressure;
  private AllocatedMemory allocated;
  private Optional<ClusterRegistry> cluster = Optional.empty();
  private PoolWatch watch;
  private NodeLoad load;
  private RecipeSchedule recipes;
  private RecipeRunner recipeRunner;
  private ScheduledExecutorService scheduler;

  public HotTubAuxService() {
    super(NAME);
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    super.serviceInit(conf);
    guarded("prepare the pool", () -> prepare(conf));
  }

  private void prepare(Configuration conf) throws IOException {
    publication = Metrics.publish(registry);
    if (!SupportedHadoop.supports(VersionInfo.getVersion())) {
      LOG.warn(
          "HotTub does not know Hadoop {} and stays inactive; supported: {}",
          VersionInfo.getVersion(),
          SupportedHadoop.lines());
      return;
    }
    ConfigCheck.problems(conf).forEach(LOG::warn);
    PoolDirectory prepared = HotTubConfig.preparedPool(conf);
    PolicyLimits limits = PolicyLimits.read(conf);
    limits.contradictions().forEach(LOG::warn);
    limits.shared().write(prepared);
    journal = new Journal(prepared);
    pressure = MemoryPressure.read(conf);
    load = new NodeLoad(Path.of("/proc"), pressure, HotTubConfig.RECIPE_CPU_PERCENT.read(conf));
    // As YARN itself: the setting may say that it depends on the machine.
    allocated =
        new AllocatedMemory(NodeManagerHardwareUtils.getContainerMemoryMB(conf) << MEBIBYTE_SHIFT);
    PoolMarks marks = new PoolMarks(prepared);
    CrashBreaker breaker =
        new CrashBreaker(marks, CrashBreaker.Rule.read(conf), System::nanoTime, registry);
    cluster = cluster(conf, prepared, marks, limits.shared().maxJvms());
    recipes = new RecipeSchedule(recipes(conf), limits, marks::isDrained, System::nanoTime);
    watch =
        new PoolWatch(
            new PoolScanner(prepared),
            marks,
            journal,
            new PoolPolicy(limits, recipes::minIdle),
            this::room,
            Duration.ofSeconds(limits.shared().idleSeconds()),
            List.of(
                metrics, new RunMetrics(registry), page, tasks, breaker, new ClusterObserver()));
    pool = prepared;
    LOG.info("The pool of warm JVMs is in {}, {}", pool.userFolder(), limits);
  }

  private List<Recipe> recipes(Configuration conf) {
    Optional<Path> folder = HotTubConfig.RECIPES.read(conf);
    return folder.isEmpty()
        ? List.of()
        : RecipeUsers.own(RecipeFolder.read(folder.get(), registry), conf, registry);
  }

  private Optional<ClusterRegistry> cluster(
      Configuration conf, PoolDirectory prepared, PoolMarks marks, int maxJvms) throws IOException {
    Optional<ClusterSettings> settings = ClusterSettings.read(conf);
    if (settings.isEmpty()) {
      // An operator who takes the node out of the cluster takes back what the cluster has drained.
      marks.drainForCluster(false, Set.of());
      return Optional.empty();
    }
    String node = NodeNames.inClusterView(conf);
    LOG.info("This node is {} in the cluster view at {}", node, settings.get().connect());
    return Optional.of(
        new ClusterRegistry(
            settings.get(),
            node,
            NodeNames.inYarn(conf),
            maxJvms,
            prepared,
            registry,
            this::lookAtOnce));
  }

  private final class ClusterObserver implements PoolObserver {
    @Override
    public void scanned(PoolView view) {
      cluster.ifPresent(registered -> registered.update(tasks.byFingerprint(view)));
    }
  }

  private PoolPolicy.Room room() {
    boolean yields = HotTubConfig.YIELD_TO_CONTAINERS.read(getConfig());
    return new PoolPolicy.Room(yields ? allocated.freeBytes() : Long.MAX_VALUE, pressure.isHigh());
  }

  @Override
  protected void serviceStart() throws Exception {
    super.serviceStart();
    if (watch != null) {
      guarded("make control groups for idle JVMs", this::makeCgroups);
      guarded("start watching the pool", this::startWatching);
      guarded("show the pool in the web server", page::publish);
      guarded("serve metrics to Prometheus", this::startPrometheus);
      guarded("run recipes", this::startRecipes);
      guarded("compare the home with the machine's JDK", this::compareJdks);
      guarded("take part in the cluster view", () -> cluster.ifPresent(ClusterRegistry::start));
    }
  }

  /** Containers had the NodeManager's JDK before, and its certificates and settings. */
  private void compareJdks() throws IOException {
    Optional<Path> home = HotTubConfig.HOME.read(getConfig());
    if (home.isPresent()) {
      Finding found = new JdkCheck(home.get(), Map.of()).look();
      if (found.result() != Finding.Result.OK) {
        LOG.warn("Of the JDK of containers: {}; what to do: {}", found.text(), found.todo());
      }
    }
  }

  private void makeCgroups() throws IOException {
    List<Path> cgroups = IdleCgroups.create(Path.of("/proc/mounts"), getConfig());
    if (!cgroups.isEmpty()) {
      LOG.info("JVMs that serve no container are in the control groups {}", cgroups);
    }
  }

  private void startWatching() {
    scheduler =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "hottub-pool-watch");
              thread.setDaemon(true);
              return thread;
            });
    // What the future would tell is what PoolWatch never does: fail.
    int interval = HotTubConfig.SCAN_INTERVAL_MS.read(getConfig());
    var unused = scheduler.scheduleWithFixedDelay(watch, 0, interval, TimeUnit.MILLISECONDS);
    var unusedToo =
        scheduler.scheduleWithFixedDelay(
            this::giveWayAtOnce, 0, PRESSURE_INTERVAL_MS, TimeUnit.MILLISECONDS);
  }

  private void startPrometheus() throws IOException {
    Optional<InetSocketAddress> address = HotTubConfig.PROMETHEUS_ADDRESS.read(getConfig());
    if (address.isPresent()) {
      try {
        prometheus = new PrometheusServer(address.get());
      } catch (IOException e) {
        throw new SettingException(
            HotTubConfig.PROMETHEUS_ADDRESS,
            address.get().getHostString() + ":" + address.get().getPort(),
            e.getMessage(),
            "name an address of this machine and a port that is free, and restart the NodeManager");
      }
    }
  }

  private void startRecipes() {
    if (recipes.isEmpty()) {
      return;
    }
    Optional<Path> home = HotTubConfig.HOME.read(getConfig());
    if (home.isEmpty()) {
      LOG.warn("No recipe runs: {} says nothing", HotTubConfig.HOME.name());
      registry.counter("recipes.skipped.no-home").inc();
      return;
    }
    recipeRunner =
        new RecipeRunner(
            recipes,
            new RecipeRun.Place(
                home.get(),
                pool.root(),
                pool.userFolder().resolve("recipes"),
                getConfig().get(YarnConfiguration.NM_CONTAINER_EXECUTOR_SCHED_PRIORITY),
                IsolationPolicy.read(getConfig())),
            new PoolScanner(pool),
            new PoolMarks(pool),
            this::room,
            cluster.map(ClusterRegistry::warmingTurn).orElse(WarmingTurn.ALWAYS),
            load,
            Duration.ofMillis(HotTubConfig.SCAN_INTERVAL_MS.read(getConfig())),
            registry);
    recipeRunner.start();
  }

  /** For tests: where 0 was configured. */
  int prometheusPort() {
    return prometheus.port();
  }

  /** JVMs that were drained do not live on until the watch has its turn. */
  private void lookAtOnce() {
    scheduler.execute(watch);
  }

  /** Under pressure the next look at the pool does not wait for its turn. */
  private void giveWayAtOnce() {
    if (pressure.isHigh()) {
      watch.run();
    }
  }

  @Override
  protected void serviceStop() throws Exception {
    guarded("leave the cluster view", () -> cluster.ifPresent(ClusterRegistry::close));
    guarded("stop watching the pool", this::stopWatching);
    page.withdraw();
    if (watch != null && !recovers(getConfig())) {
      guarded("end the pooled JVMs", () -> watch.retireAll(RetireReason.SERVICE_STOPS));
    }
    if (journal != null) {
      guarded("close the journal", journal::close);
    }
    if (publication != null) {
      guarded("take the metrics off JMX", publication::close);
    }
    super.serviceStop();
  }

  private void stopWatching() throws InterruptedException {
    if (recipeRunner != null) {
      recipeRunner.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
    if (scheduler != null) {
      scheduler.shutdownNow();
      scheduler.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** With recovery, the next NodeManager on this node adopts the JVMs as it does containers. */
  private static boolean recovers(Configuration conf) {
    return conf.getBoolean(
        YarnConfiguration.NM_RECOVERY_ENABLED, YarnConfiguration.DEFAULT_NM_RECOVERY_ENABLED);
  }

  /** Something that the NodeManager must survive. */
  private interface Step {
    void run() throws Exception;
  }

  private void guarded(String what, Step step) {
    try {
      step.run();
    } catch (Exception | LinkageError e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      if (e instanceof NoPoolException || e instanceof SettingException) {
        LOG.error("Cannot {}; the NodeManager goes on without: {}", what, e.getMessage());
      } else {
        LOG.error("Cannot {}; the NodeManager goes on without", what, e);
      }
      metrics.failed();
    }
  }

  /**
   * Returns the root of the pool, which YARN hands to every container as {@code
   * NM_AUX_SERVICE_hottub}; empty while there is no pool.
   */
  @Override
  public ByteBuffer getMetaData() {
    String root = pool == null ? "" : pool.root().toString();
    return ByteBuffer.wrap(root.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void initializeContainer(ContainerInitializationContext context) {
    if (allocated != null) {
      load.containerStarts();
      tasks.starts(context);
      allocated.started(
          context.getContainerId(), context.getResource().getMemorySize() << MEBIBYTE_SHIFT);
    }
  }

  @Override
  public void stopContainer(ContainerTerminationContext context) {
    if (allocated != null) {
      allocated.stopped(context.getContainerId());
    }
  }

  /** Leases do not depend on applications. */
  @Override
  public void initializeApplication(ApplicationInitializationContext context) {}

  /** Leases do not depend on applications. */
  @Override
  public void stopApplication(ApplicationTerminationContext context) {}
}
