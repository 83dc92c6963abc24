// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.RoomRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Decides which JVMs have to go, and which have to stay. Clients and keepers obey some of the
 * limits by themselves; of those, this is for what they cannot know: limits that were lowered, and
 * two clients that started JVMs at once.
 *
 * <p>A template is the last to go: clones are made of it in less time than any JVM is warmed in. It
 * lives on with the clones that stay, as without it there would be no others after them.
 */
public final class PoolPolicy {
  private final PolicyLimits limits;
  private final ToIntFunction<String> minIdle;

  /**
   * @param minIdle idle JVMs of a fingerprint that stay although they have been idle for long,
   *     beside those that are to stay whatever their fingerprint
   */
  public PoolPolicy(PolicyLimits limits, ToIntFunction<String> minIdle) {
    this.limits = limits;
    this.minIdle = minIdle;
  }

  /**
   * What is left for idle JVMs right now.
   *
   * @param idleBytes memory beside containers
   * @param pressure whether the node is short of memory
   */
  public record Room(long idleBytes, boolean pressure) {
    public static final Room AMPLE = new Room(Long.MAX_VALUE, false);
  }

  /**
   * A decision about one view of the pool.
   *
   * @param retire JVMs that end, at once or after their lease
   * @param keep idle JVMs and templates that must not end by themselves
   */
  record Decision(Map<PooledJvm, RetireReason> retire, List<PooledJvm> keep) {}

  /**
   * Only age ends a JVM that is at work; of the idle ones, the least useful go first, and templates
   * after them.
   */
  Decision decide(PoolView view, Room room) {
    return new Choice(view, room).decision();
  }

  private static final Comparator<PooledJvm> LEAST_USEFUL_FIRST =
      Comparator.comparing(PoolPolicy::toRule, RoomRule.LEAST_USEFUL_FIRST);

  private static RoomRule.Jvm toRule(PooledJvm jvm) {
    KeeperState state = jvm.state();
    return new RoomRule.Jvm(
        jvm.socket().keeperPid(),
        Objects.requireNonNullElse(state.run(), 0L),
        Objects.requireNonNullElse(state.heldKb(), 0L),
        Objects.requireNonNullElse(state.idleMs(), 0L),
        false);
  }

  /** The work on one view. */
  private final class Choice {
    private final Room room;
    private final List<PooledJvm> staying;
    private final List<PooledJvm> leastUsefulFirst;
    private final List<PooledJvm> templates;
    private final Map<String, Integer> ofFingerprint = new HashMap<>();
    private final Map<String, Integer> ofTenant = new HashMap<>();
    private final Map<PooledJvm, RetireReason> chosen = new LinkedHashMap<>();
    private long heldBytes;

    Choice(PoolView view, Room room) {
      this.room = room;
      staying =
          view.jvms().stream().filter(jvm -> jvm.state().state() != JvmState.RETIRING).toList();
      for (PooledJvm jvm : staying) {
        ofFingerprint.merge(jvm.socket().fingerprintPrefix(), 1, Integer::sum);
        ofTenant.merge(tenant(jvm), 1, Integer::sum);
      }
      leastUsefulFirst =
          staying.stream()
              .filter(jvm -> jvm.state().state() == JvmState.IDLE)
              .sorted(LEAST_USEFUL_FIRST)
              .toList();
      templates = staying.stream().filter(jvm -> jvm.state().state() == JvmState.TEMPLATE).toList();
      heldBytes = view.heldBytes();
    }

    Decision decision() {
      for (PooledJvm jvm : staying) {
        if (isTooOld(jvm)) {
          choose(jvm, RetireReason.TOO_OLD);
        }
      }
      Set<PooledJvm> last = keepMostUseful();
      leastUsefulFirst.stream().filter(jvm -> !last.contains(jvm)).forEach(this::chooseOverLimits);
      last.forEach(this::chooseOverLimits);
      templates.forEach(this::chooseOverLimits);
      Set<PooledJvm> kept = keepMostUseful();
      chooseIdleTooLong(kept);
      kept.addAll(templatesOf(kept));
      if (room.pressure()) {
        giveWay();
      }
      return new Decision(chosen, kept.stream().filter(jvm -> !chosen.containsKey(jvm)).toList());
    }

    private void choose(PooledJvm jvm, RetireReason reason) {
      chosen.put(jvm, reason);
      ofFingerprint.merge(jvm.socket().fingerprintPrefix(), -1, Integer::sum);
      ofTenant.merge(tenant(jvm), -1, Integer::sum);
      if (PoolView.isHeld(jvm)) {
        heldBytes -= PoolView.residentBytes(jvm);
      }
    }

    private boolean isTooOld(PooledJvm jvm) {
      Long age = jvm.state().ageMs();
      return age != null && age > limits.maxAgeSeconds() * 1000L;
    }

    private void chooseOverLimits(PooledJvm jvm) {
      KeeperState state = jvm.state();
      if (chosen.containsKey(jvm)) {
        return;
      }
      boolean serves = state.state() != JvmState.TEMPLATE;
      if (serves && state.run() != null && state.run() >= limits.shared().maxLeases()) {
        choose(jvm, RetireReason.TOO_MANY_LEASES);
      } else if (staying.size() - chosen.size() > limits.shared().maxJvms()) {
        choose(jvm, RetireReason.TOO_MANY_JVMS);
      } else if (ofTenant.get(tenant(jvm)) > limits.maxJvmsPerTenant()) {
        choose(jvm, RetireReason.TOO_MANY_OF_TENANT);
      } else if (ofFingerprint.get(jvm.socket().fingerprintPrefix())
          > limits.shared().maxJvmsPerFingerprint()) {
        choose(jvm, RetireReason.TOO_MANY_OF_FINGERPRINT);
      } else if (heldBytes > Math.min(limits.idleBytes(), room.idleBytes())) {
        choose(jvm, RetireReason.MEMORY_BUDGET);
      }
    }

    private Set<PooledJvm> keepMostUseful() {
      List<PooledJvm> left = idleLeft();
      Set<PooledJvm> kept = new LinkedHashSet<>(mostUseful(left, limits.minIdle()));
      left.stream()
          .collect(Collectors.groupingBy(jvm -> jvm.socket().fingerprintPrefix()))
          .forEach((name, jvms) -> kept.addAll(mostUseful(jvms, minIdle.applyAsInt(name))));
      return kept;
    }

    private static List<PooledJvm> mostUseful(List<PooledJvm> leastUsefulFirst, int count) {
      int all = leastUsefulFirst.size();
      return leastUsefulFirst.subList(Math.max(0, all - count), all);
    }

    private List<PooledJvm> idleLeft() {
      return leastUsefulFirst.stream().filter(jvm -> !chosen.containsKey(jvm)).toList();
    }

    private void chooseIdleTooLong(Set<PooledJvm> kept) {
      for (PooledJvm jvm : idleLeft()) {
        Long idleMs = jvm.state().idleMs();
        if (idleMs != null
            && idleMs > limits.shared().idleSeconds() * 1000L
            && !kept.contains(jvm)) {
          choose(jvm, RetireReason.IDLE_TOO_LONG);
        }
      }
    }

    /** Those of JVMs that stay, and of fingerprints of which some are to stay. */
    private List<PooledJvm> templatesOf(Set<PooledJvm> kept) {
      Set<String> names =
          kept.stream().map(jvm -> jvm.socket().fingerprintPrefix()).collect(Collectors.toSet());
      return templates.stream()
          .filter(
              jvm -> {
                String name = jvm.socket().fingerprintPrefix();
                return names.contains(name) || minIdle.applyAsInt(name) > 0;
              })
          .toList();
    }

    /** Half of them at a time: pressure that has gone by the next second costs only that half. */
    private void giveWay() {
      List<PooledJvm> left = new ArrayList<>(idleLeft());
      templates.stream().filter(jvm -> !chosen.containsKey(jvm)).forEach(left::add);
      for (PooledJvm jvm : left.subList(0, (left.size() + 1) / 2)) {
        choose(jvm, RetireReason.MEMORY_PRESSURE);
      }
    }

    private static String tenant(PooledJvm jvm) {
      return Objects.requireNonNullElse(jvm.state().tenant(), "");
    }
  }
}
