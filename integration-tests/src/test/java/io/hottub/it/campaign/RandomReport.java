// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the campaign of random programs has found, as a page for people. */
final class RandomReport {
  private final long seed;
  private final String machine;
  private final String versions;
  private final long beganNs = System.nanoTime();

  RandomReport(long seed, String machine, String versions) {
    this.seed = seed;
    this.machine = machine;
    this.versions = versions;
  }

  String text(int programs, Map<String, RandomRuns.Tally> modes, Set<String> wrong, int left) {
    String rows =
        modes.entrySet().stream()
            .map(e -> row(e.getKey(), e.getValue()))
            .collect(Collectors.joining());
    return """
# Random programs: campaign

Java programs that follow from a number: classes whose initialisers need each other, fail, or run in
threads; constants, lambdas, method and variable handles, call sites that change, records, enums,
proxies, reflection, class loaders, exceptions, thread pools, settings. They are the same in every
JVM but for a number, the variant: it is in static finals, and changes which classes are used in
which order. %d of them run in one process, which ends in one of six ways. A pooled JVM gets three
leases, with the variants %s. Different: exit status, standard output or standard error are not
those of the stock JDK with the same variant: neither by default settings nor, if it is not as
these, in the same mode. In a seventh of the processes the VM verifies the heap at each collection,
too. Made by `integration-tests/campaigns/random/run --programs %d --seed %d`.

**%d programs, %d different; %d processes left.** %d minutes.

| JVM | runs on stock | first leases | later leases | cold | different |
|---|---:|---:|---:|---|---:|
%s%s
- Machine: %s.
- Versions: %s.
"""
        .formatted(
            RandomPrograms.PROGRAMS_OF_A_PROCESS,
            RandomRuns.VARIANTS.stream().map(String::valueOf).collect(Collectors.joining(", ")),
            programs,
            seed,
            programs,
            wrong.size(),
            left,
            (System.nanoTime() - beganNs) / 60_000_000_000L,
            rows,
            wrong.isEmpty() ? "" : "\nDifferent: " + String.join("; ", wrong) + ".\n",
            machine,
            versions);
  }

  private static String row(String mode, RandomRuns.Tally tally) {
    String cold =
        tally.cold.entrySet().stream()
            .map(e -> e.getValue() + " " + e.getKey())
            .collect(Collectors.joining(", "));
    return "| %s | %d | %d | %d | %s | %d |%n"
        .formatted(mode, tally.stock, tally.first, tally.later, cold, tally.different);
  }
}
