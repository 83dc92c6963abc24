// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which idle JVMs end so that there is room for another one: the rule that clients and keepers have
 * ({@code native/common/room.c}). {@code docs/pool-room.md} says why it is this one.
 */
public final class RoomRule {
  /** How long an idle JVM was unused that gives way to a run of which nothing is known. */
  public static final long STRANGER_MS = 60_000;

  private static final long UNKNOWN_KB = 64 * 1024;
  private static final int LEASES_COUNTED = 8;

  /**
   * A pooled JVM.
   *
   * @param keeper pid of its keeper
   * @param leases that it has served
   * @param memoryKb resident when it was idle last; 0: not known
   * @param idleMs negative: in use
   * @param kept whether it is to stay, as a recipe's
   */
  public record Jvm(long keeper, long leases, long memoryKb, long idleMs, boolean kept) {
    private long assumedKb() {
      return memoryKb > 0 ? memoryKb : UNKNOWN_KB;
    }

    /** Memory that was held for nothing, for how long, for each lease. */
    private double waste() {
      return (double) idleMs * assumedKb() / Math.min(LEASES_COUNTED, Math.max(1, leases));
    }

    private boolean isIdle() {
      return idleMs >= 0;
    }
  }

  /** The order in which idle JVMs end: the least useful one first. */
  public static final Comparator<Jvm> LEAST_USEFUL_FIRST =
      Comparator.comparing(Jvm::kept)
          .thenComparing(Comparator.comparingDouble(Jvm::waste).reversed())
          .thenComparingLong(Jvm::keeper);

  private RoomRule() {}

  /**
   * The JVMs that end so that a new one has room, in the order in which they end; empty if there is
   * no room to be had.
   *
   * @param paysOffMs time after which the newcomer's JVM should have a second run: only those end
   *     that have been unused for longer
   */
  public static Optional<List<Jvm>> forNewcomer(
      List<Jvm> jvms, int maxJvms, long memoryKb, long paysOffMs) {
    long known = jvms.stream().filter(jvm -> jvm.memoryKb() > 0).count();
    long knownKb = jvms.stream().mapToLong(Jvm::memoryKb).sum();
    long newcomerKb = known == 0 ? UNKNOWN_KB : knownKb / known;
    long allKb = jvms.stream().mapToLong(Jvm::assumedKb).sum();
    return letGo(jvms, jvms.size() + 1 - maxJvms, allKb + newcomerKb - memoryKb, paysOffMs);
  }

  /** The same where idle JVMs hold more memory than they may. */
  public static List<Jvm> forIdle(List<Jvm> jvms, long memoryKb) {
    long idleKb = jvms.stream().filter(Jvm::isIdle).mapToLong(Jvm::assumedKb).sum();
    return letGo(jvms, 0, idleKb - memoryKb, -1).orElseThrow();
  }

  private static Optional<List<Jvm>> letGo(
      List<Jvm> jvms, int jvmsOver, long kbOver, long unusedMs) {
    List<Jvm> gone = new ArrayList<>();
    long kb = kbOver;
    for (Jvm jvm :
        jvms.stream()
            .filter(jvm -> jvm.isIdle() && jvm.idleMs() > unusedMs)
            .sorted(LEAST_USEFUL_FIRST)
            .toList()) {
      if (gone.size() >= jvmsOver && kb <= 0) {
        break;
      }
      gone.add(jvm);
      kb -= jvm.assumedKb();
    }
    return gone.size() >= jvmsOver && kb <= 0 ? Optional.of(gone) : Optional.empty();
  }
}
