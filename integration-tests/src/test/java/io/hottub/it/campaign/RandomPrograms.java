// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.it.campaign.RandomRuns.Difference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Random programs in pooled JVMs, compared with the stock JDK; {@code campaigns/random/run}. A
 * difference is reduced to a program, and to those of its parts without which there is none.
 */
final class RandomPrograms {
  static final int PROGRAMS_OF_A_PROCESS = 50;

  /**
   * Groups of which one runs in the mode that takes more time than three others together. It has no
   * divisor in common with the number of ends, so processes with each end are verified.
   */
  private static final int GROUPS_OF_A_VERIFICATION = 7;

  private final RandomRuns runs;
  private final Path out;
  private int programs;
  private final Set<String> wrong = new TreeSet<>();

  RandomPrograms(RandomRuns runs, Path out) {
    this.runs = runs;
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    Path work = Path.of(args[2]);
    Path out = Path.of(args[6]);
    long seed = Long.parseLong(args[5]);
    RandomRuns runs = new RandomRuns(Path.of(args[0]), Path.of(args[1]), work, Path.of(args[3]));
    RandomPrograms all = new RandomPrograms(runs, out);
    RandomReport report = new RandomReport(seed, args[7], args[8]);
    all.run(seed, Integer.parseInt(args[4]), Long.parseLong(args[9]));
    String text = report.text(all.programs, runs.tallies(), all.wrong, runs.left());
    System.out.print(text);
    Files.writeString(out.resolve("random.md"), text);
    System.exit(all.wrong.isEmpty() && runs.left() == 0 ? 0 : 1);
  }

  /** Programs of successive seeds, until these minutes are over. */
  void run(long seed, int count, long minutes) throws Exception {
    long end = System.nanoTime() + minutes * 60_000_000_000L;
    for (int begin = 0; begin < count && System.nanoTime() < end; begin += PROGRAMS_OF_A_PROCESS) {
      long first = seed + begin;
      long last = seed + Math.min(count, begin + PROGRAMS_OF_A_PROCESS);
      List<RandomProgram> group =
          LongStream.range(first, last).mapToObj(RandomProgram::of).toList();
      int turn = (int) (first / PROGRAMS_OF_A_PROCESS % RandomGroup.ENDS.size());
      boolean isVerified = begin / PROGRAMS_OF_A_PROCESS % GROUPS_OF_A_VERIFICATION == 0;
      compare(new RandomGroup(group, RandomGroup.ENDS.get(turn)), isVerified);
      programs += group.size();
      System.err.printf("random: %d programs, %d different%n", programs, wrong.size());
    }
  }

  /** Seeds of programs that were different, with the parts that matter. */
  Set<String> wrong() {
    return wrong;
  }

  private void compare(RandomGroup group, boolean isVerified) throws Exception {
    Path classes = runs.newClasses();
    group.compile(classes);
    for (String mode : RandomRuns.MODES.keySet()) {
      if (mode.equals(RandomRuns.VERIFIED) && !isVerified) {
        continue;
      }
      for (Difference difference : runs.compare(group, classes, mode)) {
        reduce(difference);
      }
    }
    delete(classes);
  }

  private List<Difference> differences(RandomGroup group, String mode) throws Exception {
    Path classes = runs.newClasses();
    group.compile(classes);
    List<Difference> found = runs.compare(group, classes, mode);
    delete(classes);
    return found;
  }

  private void reduce(Difference difference) throws Exception {
    Map<String, String> stock = RandomGroup.sections(difference.stock().out());
    Map<String, String> pooled = RandomGroup.sections(difference.pooled().out());
    List<RandomProgram> suspects =
        difference.group().programs().stream()
            .filter(p -> !same(stock, pooled, Long.toString(p.seed())))
            .toList();
    boolean reproduced = false;
    for (RandomProgram program : suspects) {
      reproduced |= reduce(program, difference);
    }
    if (!reproduced) {
      // Only together, or by the way the process ends.
      note("group of " + difference.group().programs().get(0).seed(), difference, "");
    }
  }

  private static boolean same(Map<String, String> one, Map<String, String> other, String seed) {
    return one.containsKey(seed) && one.get(seed).equals(other.get(seed));
  }

  private boolean reduce(RandomProgram program, Difference difference) throws Exception {
    RandomProgram least = program;
    Difference kept = alone(least, difference);
    if (kept == null) {
      return false;
    }
    for (int part = 0; part < program.parts(); part++) {
      Set<Integer> without = new HashSet<>(least.without());
      without.add(part);
      RandomProgram smaller = new RandomProgram(program.seed(), without);
      Difference seen = alone(smaller, difference);
      if (seen != null) {
        least = smaller;
        kept = seen;
      }
    }
    List<Integer> parts = new ArrayList<>();
    for (int part = 0; part < least.parts(); part++) {
      if (!least.without().contains(part)) {
        parts.add(part);
      }
    }
    note("%d, parts %s".formatted(least.seed(), parts), kept, least.source());
    return true;
  }

  /** Null if this program is the same everywhere when it has a process of its own. */
  private Difference alone(RandomProgram program, Difference like) throws Exception {
    RandomGroup group = new RandomGroup(List.of(program), like.group().end());
    List<Difference> found = differences(group, like.mode());
    return found.isEmpty() ? null : found.get(0);
  }

  private void note(String what, Difference difference, String source) throws IOException {
    String title = what + ", " + difference.mode();
    if (wrong.add(title)) {
      System.err.printf("random: different: %s%n", title);
      Files.writeString(
          out.resolve("different-" + wrong.size()),
          "%s, lease %d, end %s%n%n== stock%n%s%n%n== pooled%n%s%n%n%s"
              .formatted(
                  title,
                  difference.lease() + 1,
                  difference.group().end(),
                  difference.stock(),
                  difference.pooled(),
                  source));
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
