// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.KeeperState;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.containers.LeasedJvms;
import io.hottub.yarn.log.Trouble;
import io.hottub.yarn.pool.PooledJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.ProcfsBasedProcessTree;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of a container as YARN knows them, and the JVMs that they have leased: a JVM counts
 * for the container that one of its clients is in, for as long as its lease lasts, with all its
 * resident memory (as the stock JVM that it stands for) and with the CPU time since the lease
 * began.
 */
public final class HotTubProcessTree extends ResourceCalculatorProcessTree {
  private static final Logger LOG = LoggerFactory.getLogger(HotTubProcessTree.class);
  private static final long PAGE_BYTES = ProcfsBasedProcessTree.PAGE_SIZE;

  /** One for the whole NodeManager, as what follows; null before the first use. */
  private static LeasedJvms node;

  private static final Trouble UNCHARGED =
      new Trouble(
          LOG,
          "Pooled JVMs are charged to nobody: there is no pool to look at",
          "There is a pool: JVMs are charged to the containers that lease them");

  private final ProcfsBasedProcessTree own;
  private LeasedJvms leasedJvms;
  private List<Lease> leases = List.of();

  /** CPU time by lease, also of leases that are over: time that was used stays used. */
  private final Map<LeaseId, Long> cpuMs = new HashMap<>();

  private long updatedAtNs;
  private float cpuPercent;

  private record LeaseId(long keeperPid, long run) {}

  /**
   * A lease of this container.
   *
   * @param age updates of this tree that have seen it before
   */
  private record Lease(LeaseId id, KeeperState state, long virtualBytes, long rssBytes, int age) {}

  /**
   * Called by YARN.
   *
   * @param pid the container's first process
   */
  public HotTubProcessTree(String pid) {
    super(pid);
    own = new ProcfsBasedProcessTree(pid);
  }

  /** For tests: a pool of their own. */
  HotTubProcessTree(String pid, LeasedJvms leasedJvms) {
    this(pid);
    this.leasedJvms = leasedJvms;
  }

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    // Called by the constructor of the superclass, too.
    if (own != null) {
      own.setConf(conf);
    }
  }

  @Override
  public void initialize() throws YarnException {
    own.initialize();
    if (leasedJvms == null) {
      try {
        leasedJvms = ofNode(getConf());
        UNCHARGED.isOver();
      } catch (IOException e) {
        UNCHARGED.is(e.getMessage());
      }
    }
  }

  private static synchronized LeasedJvms ofNode(Configuration conf) throws IOException {
    if (node == null) {
      node = new LeasedJvms(HotTubConfig.pool(conf));
    }
    return node;
  }

  @Override
  public void updateProcessTree() {
    own.updateProcessTree();
    long before = totalCpuMs();
    leases = find();
    long now = System.nanoTime();
    long elapsedMs = (now - updatedAtNs) / 1_000_000;
    cpuPercent =
        updatedAtNs == 0 || elapsedMs <= 0 ? 0 : 100f * (totalCpuMs() - before) / elapsedMs;
    updatedAtNs = now;
  }

  private List<Lease> find() {
    List<Lease> found = new ArrayList<>();
    if (leasedJvms == null) {
      return found;
    }
    for (PooledJvm jvm : leasedJvms.get()) {
      KeeperState state = jvm.state();
      if (isMine(state)) {
        try {
          found.add(measure(state));
        } catch (IOException e) {
          LOG.debug("JVM {} has ended", state.jvmPid(), e);
        }
      }
    }
    return found;
  }

  private boolean isMine(KeeperState state) {
    return state.clientPid() != null
        && state.jvmPid() != null
        && own.contains(state.clientPid().toString())
        // One that is a child of the container's processes is counted there.
        && !own.contains(state.jvmPid().toString());
  }

  private Lease measure(KeeperState state) throws IOException {
    LeaseId id = new LeaseId(state.keeperPid(), state.run() == null ? 0 : state.run());
    String[] pages =
        Files.readString(Path.of("/proc", state.jvmPid().toString(), "statm")).split(" ", 3);
    if (state.leaseCpuUs() != null) {
      cpuMs.merge(id, state.leaseCpuUs() / 1000, Math::max);
    }
    int age = leases.stream().filter(l -> l.id().equals(id)).mapToInt(Lease::age).sum() + 1;
    return new Lease(
        id,
        state,
        Long.parseLong(pages[0]) * PAGE_BYTES,
        Long.parseLong(pages[1]) * PAGE_BYTES,
        age);
  }

  private long totalCpuMs() {
    return cpuMs.values().stream().mapToLong(Long::longValue).sum();
  }

  private List<Lease> olderThan(int age) {
    return leases.stream().filter(lease -> lease.age() > age).toList();
  }

  @Override
  public long getRssMemorySize(int olderThanAge) {
    long rest = olderThan(olderThanAge).stream().mapToLong(Lease::rssBytes).sum();
    return plus(own.getRssMemorySize(olderThanAge), rest);
  }

  @Override
  public long getVirtualMemorySize(int olderThanAge) {
    long rest = olderThan(olderThanAge).stream().mapToLong(Lease::virtualBytes).sum();
    return plus(own.getVirtualMemorySize(olderThanAge), rest);
  }

  @Override
  public long getCumulativeCpuTime() {
    return plus(own.getCumulativeCpuTime(), totalCpuMs());
  }

  private static long plus(long ours, long rest) {
    return ours == UNAVAILABLE ? UNAVAILABLE : ours + rest;
  }

  @Override
  public float getCpuUsagePercent() {
    float percent = own.getCpuUsagePercent();
    return percent == UNAVAILABLE ? UNAVAILABLE : percent + cpuPercent;
  }

  @Override
  public boolean checkPidPgrpidForMatch() {
    return own.checkPidPgrpidForMatch();
  }

  @Override
  public String getProcessTreeDump() {
    StringBuilder dump = new StringBuilder(own.getProcessTreeDump());
    for (Lease lease : leases) {
      dump.append(
          "\t|- %d (pooled JVM of HotTub, leased by %d, run %d, %s) %d %d\n"
              .formatted(
                  lease.state().jvmPid(),
                  lease.state().clientPid(),
                  lease.id().run(),
                  lease.state().mainClass(),
                  lease.virtualBytes(),
                  lease.rssBytes() / PAGE_BYTES));
    }
    return dump.toString();
  }
}
