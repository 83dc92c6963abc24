// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.ClientVariables;
import io.hottub.protocol.Isolation;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.jdk.Jdk;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.config.IsolationPolicy;
import io.hottub.yarn.log.Trouble;
import io.hottub.yarn.metrics.Metrics;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a container the environment in which its {@code java} finds the pool, and makes that {@code
 * java} HotTub's client when the container's application asks for it.
 */
final class LaunchRouter {
  private static final Logger LOG = LoggerFactory.getLogger(LaunchRouter.class);

  /** What becomes of a container that asks for HotTub. */
  private enum Outcome {
    ROUTED,
    OWN_JAVA_HOME,
    NO_HOME,
    OTHER_RUNTIME,
    UNREADABLE_SETTINGS,

    /** Only its user may read the settings: whether it asks turns out in its launch script. */
    LEFT_TO_SCRIPT;

    /** The last word of its metric. */
    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final List<Engine> ENGINES =
      List.of(new SparkEngine(), new TezEngine(), new MapReduceEngine());

  /** The names of files in a container that {@link #route} wants to know. */
  static final Set<String> FILES =
      ENGINES.stream().map(Engine::file).collect(Collectors.toUnmodifiableSet());

  private final PoolDirectory pool;
  private final Optional<Path> home;
  private final IsolationPolicy isolation;
  private final ContainerFiles containerFiles;
  private final NodeLimits limits;
  private final String javaHome;
  private final MetricRegistry registry;
  private final Trouble noHome =
      new Trouble(
          LOG,
          "Containers ask for HotTub and run cold: its home is not whole",
          "Containers that ask for HotTub find its home whole again");

  /**
   * @param home HotTub home, or empty: nothing is routed
   * @param isolation of containers whose application has not chosen one
   * @param limits of the node, for pools that are not its own
   * @param javaHome {@link LaunchScript#javaHomeOf}
   */
  LaunchRouter(
      PoolDirectory pool,
      Optional<Path> home,
      IsolationPolicy isolation,
      ContainerFiles containerFiles,
      NodeLimits limits,
      String javaHome,
      MetricRegistry registry) {
    this.pool = pool;
    this.home = home;
    this.isolation = isolation;
    this.containerFiles = containerFiles;
    this.limits = limits;
    this.javaHome = javaHome;
    this.registry = registry;
    for (Engine engine : ENGINES) {
      for (Outcome outcome : Outcome.values()) {
        Metrics.begin(registry, metric(engine, outcome));
      }
    }
  }

  /**
   * Returns the environment for a container.
   *
   * @param environment what YARN would give it; not changed
   * @param files local files and folders of the container by the names that they have in it
   * @param user YARN user of the container
   */
  Map<String, String> route(Map<String, String> environment, Map<String, Path> files, String user) {
    Map<String, String> routed = new LinkedHashMap<>(environment);
    // The tenant decides who may share a JVM: an application cannot choose it. The pool's root it
    // may: below another root it only finds JVMs of the same tenant.
    routed.put(ClientVariables.TENANT, user);
    routed.putIfAbsent(ClientVariables.POOL_ROOT, pool.root().toString());
    routed.remove(ClientVariables.TRAINING);
    routed.remove(ClientVariables.LIMITS);
    limits.variable().ifPresent(own -> routed.put(ClientVariables.LIMITS, own));
    boolean ofNode = containerFiles.areThoseOfTheNode(environment);
    List<LaunchScript.Closed> closed = new ArrayList<>();
    for (Engine engine : ENGINES) {
      Path file = files.get(engine.file());
      if (file != null) {
        follow(routed, engine, engine.settings(file), ofNode, closed);
      }
    }
    if (!closed.isEmpty()) {
      routed.putIfAbsent(
          ClientVariables.ISOLATION, LaunchScript.isolation(closed, isolation.of(user)));
      if (trouble().isEmpty()) {
        routed.putIfAbsent(
            LaunchScript.JAVA_HOME, LaunchScript.javaHome(closed, home.get(), javaHome));
      }
    }
    routed.putIfAbsent(ClientVariables.ISOLATION, isolation.of(user).word());
    return routed;
  }

  private void follow(
      Map<String, String> routed,
      Engine engine,
      Path file,
      boolean ofNode,
      List<LaunchScript.Closed> closed) {
    try {
      Wish wish = UserFile.read(file, content -> Wish.in(content, engine));
      if (wish.enabled() && !ofNode) {
        LOG.info("A {} container has an image of its own; it runs cold", engine.name());
        count(engine, Outcome.OTHER_RUNTIME);
      } else if (wish.enabled()) {
        setIsolation(routed, engine, wish.isolation());
        setJavaHome(routed, engine);
      }
    } catch (AccessDeniedException e) {
      count(engine, ofNode ? Outcome.LEFT_TO_SCRIPT : Outcome.OTHER_RUNTIME);
      if (ofNode) {
        closed.add(new LaunchScript.Closed(engine, file));
      }
    } catch (IOException | RuntimeException | Error e) {
      count(engine, Outcome.UNREADABLE_SETTINGS);
      LOG.warn("Cannot read the {} settings of a container; it runs cold", engine.name(), e);
    }
  }

  /** Why no container can run on the home; none if it can. */
  private Optional<String> trouble() {
    if (home.isEmpty()) {
      return Optional.of("the setting " + HotTubConfig.HOME.name() + " says nothing");
    }
    return new Jdk(home.get()).lacks().map(file -> "there is no " + file);
  }

  private static void setIsolation(Map<String, String> environment, Engine engine, String wanted) {
    Optional<Isolation> isolation = Isolation.of(wanted);
    if (isolation.isPresent()) {
      environment.putIfAbsent(ClientVariables.ISOLATION, isolation.get().word());
    } else if (!wanted.isEmpty()) {
      LOG.warn(
          "A {} application wants an isolation that is not reuse, clone or strict; the node's own is"
              + " used",
          engine.name());
    }
  }

  private void setJavaHome(Map<String, String> environment, Engine engine) {
    Optional<String> trouble = trouble();
    if (trouble.isPresent()) {
      noHome.is(trouble.get());
      count(engine, Outcome.NO_HOME);
      return;
    }
    noHome.isOver();
    String ours = home.get().toString();
    String before = environment.putIfAbsent(LaunchScript.JAVA_HOME, ours);
    if (before == null || before.equals(ours)) {
      count(engine, Outcome.ROUTED);
    } else {
      LOG.info("A {} container keeps its own JAVA_HOME {}", engine.name(), before);
      count(engine, Outcome.OWN_JAVA_HOME);
    }
  }

  private void count(Engine engine, Outcome outcome) {
    registry.counter(metric(engine, outcome)).inc();
  }

  private static String metric(Engine engine, Outcome outcome) {
    return "launch." + engine.name() + "." + outcome.word();
  }
}
