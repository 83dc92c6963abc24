// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Runs groups of random programs on the stock JDK and in leases of a pooled JVM. */
final class RandomRuns {
  static final String DEFAULT = "default";
  static final String VERIFIED = "verified";

  static final Map<String, List<String>> MODES = modes();

  /** Of the leases of one JVM; each variant has other constants and another order. */
  static final List<Integer> VARIANTS = List.of(0, 1, 0);

  /** On a busy machine, too. */
  private static final long LONGEST_RUN_S = 600;

  private static final long LONGEST_RESET_MS = 60_000;

  /** What a run was for its caller. */
  record Result(int status, String out, String err) {}

  /** A run that was not as on the stock JDK. */
  record Difference(RandomGroup group, String mode, int lease, Result stock, Result pooled) {}

  /** What is known of the runs of one mode. */
  static final class Tally {
    int stock;
    int first;
    int later;
    int different;
    final Map<String, Integer> cold = new TreeMap<>();
  }

  private final Path home;
  private final Path stock;
  private final Path work;
  private final ClonePool pool;
  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private final Map<Integer, Result> references = new TreeMap<>();
  private Path referenceOf;
  private int groups;
  private int left;

  RandomRuns(Path home, Path stock, Path work, Path root) throws IOException {
    this.home = home;
    this.stock = stock;
    this.work = work;
    pool = new ClonePool(home, work, root);
  }

  private static Map<String, List<String>> modes() {
    // Short loops get compiled, too. When stack traces begin to be left out depends on time.
    String soon = "-XX:CompileThresholdScaling=0.1";
    String whole = "-XX:-OmitStackTraceInFastThrow";
    Map<String, List<String>> modes = new LinkedHashMap<>();
    modes.put(DEFAULT, List.of(soon, whole));
    modes.put("interpreter", List.of("-Xint"));
    modes.put("C1", List.of("-Xbatch", "-XX:TieredStopAtLevel=1", soon, whole));
    modes.put("C2", List.of("-Xbatch", "-XX:-TieredCompilation", soon, whole));
    modes.put(VERIFIED, verified(soon, whole));
    return modes;
  }

  /**
   * The VM looks at each collection whether the heap is what it takes it for, and whether the
   * collector knows where compiled code leads.
   */
  private static List<String> verified(String... further) {
    List<String> options = new ArrayList<>(List.of(further));
    options.addAll(List.of("-XX:+UseG1GC", "-XX:G1HeapRegionSize=1m", "-Xbatch"));
    options.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+G1VerifyHeapRegionCodeRoots"));
    options.addAll(List.of("-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC"));
    return options;
  }

  Map<String, Tally> tallies() {
    return tallies;
  }

  /** Processes of pools that did not end when they were told to. */
  int left() {
    return left;
  }

  /**
   * All leases of one JVM in this mode that were not as on the stock JDK by default settings, nor
   * as there in the same mode: programs are to do the same in all of them.
   */
  List<Difference> compare(RandomGroup group, Path classes, String mode) throws Exception {
    Tally tally = tally(mode);
    List<Difference> differences = new ArrayList<>();
    for (int lease = 0; lease < VARIANTS.size(); lease++) {
      int variant = VARIANTS.get(lease);
      Result seen = run(home, classes, group, mode, variant);
      count(tally, lease);
      Result wanted = reference(group, classes, variant);
      if (!seen.equals(wanted) && !mode.equals(DEFAULT)) {
        wanted = onStock(group, classes, mode, variant);
      }
      if (!seen.equals(wanted)) {
        tally.different++;
        differences.add(new Difference(group, mode, lease, wanted, seen));
      }
      ClonePool.await(LONGEST_RESET_MS, () -> pool.isIdle() || pool.states().isEmpty());
    }
    left += pool.end();
    return differences;
  }

  private Tally tally(String mode) {
    return tallies.computeIfAbsent(mode, m -> new Tally());
  }

  /** What the group does on the stock JDK by default settings. */
  private Result reference(RandomGroup group, Path classes, int variant) throws Exception {
    if (!classes.equals(referenceOf)) {
      references.clear();
      referenceOf = classes;
    }
    Result known = references.get(variant);
    if (known == null) {
      known = onStock(group, classes, DEFAULT, variant);
      references.put(variant, known);
    }
    return known;
  }

  private Result onStock(RandomGroup group, Path classes, String mode, int variant)
      throws Exception {
    Result result = run(stock, classes, group, mode, variant);
    if (result.status() < 0) {
      long first = group.programs().get(0).seed();
      throw new IllegalStateException("no end on the stock JDK: " + first + ", " + mode);
    }
    tally(mode).stock++;
    return result;
  }

  private void count(Tally tally, int lease) throws IOException {
    CloneRuns.Trace trace = new CloneRuns.Trace(Files.readString(trace()));
    if (!trace.fromPool()) {
      tally.cold.merge(trace.reason(), 1, Integer::sum);
    } else if (lease == 0) {
      tally.first++;
    } else if (trace.isWarm()) {
      tally.later++;
    } else {
      tally.cold.merge("new JVM", 1, Integer::sum);
    }
  }

  private Path trace() {
    return work.resolve("trace");
  }

  private Result run(Path java, Path classes, RandomGroup group, String mode, int variant)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(java.resolve("bin/java").toString()));
    command.addAll(MODES.get(mode));
    command.add("-Xmx128m");
    command.addAll(group.arguments(classes, variant));
    Path folder = Files.createDirectories(work.resolve("folder"));
    Files.writeString(trace(), "");
    Path out = work.resolve("out");
    Path err = work.resolve("err");
    Process process = PlainRun.of(command, folder, pool.root(), trace(), out, err).start();
    boolean ended = process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    return new Result(ended ? process.exitValue() : -1, text(out), text(err));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  /** A folder of classes for a group. */
  Path newClasses() {
    return work.resolve("classes-" + ++groups);
  }
}
