// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.PoolDirectory;
import io.hottub.report.Stats;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs programs in clones, one after the other and many at once; {@code campaigns/clones/run}. */
public final class Clones {
  private static final int BURST = 20;
  private static final long LONGEST_RUN_S = 60;
  private static final long LONGEST_END_S = 15;

  /** As many runs at most have one template; then another one is trained. */
  private static final int RUNS_OF_A_TEMPLATE = 50;

  private static final int TRAINING_RUNS = 6;

  private static final Map<String, String> KINDS =
      new TreeMap<>(
          Map.of(
              "Serial", "-XX:+UseSerialGC",
              "Parallel", "-XX:+UseParallelGC",
              "G1", "-XX:+UseG1GC",
              "interpreter", "-Xint",
              "C1", "-XX:TieredStopAtLevel=1",
              "C2", "-XX:-TieredCompilation"));

  private static final Pattern JVM = Pattern.compile("\"jvm_pid\":(\\d+)");
  private static final Pattern REASON = Pattern.compile("\"reason\":\"([^\"]+)\"");

  /** What a run was for its caller. */
  record Result(int status, String out, String err, String files) {}

  /** What a run was, and for us: its line of the trace, and how long it took. */
  record Seen(List<String> program, Result result, String trace, long ms) {}

  /** What is known of the runs of one kind of JVM. */
  private static final class Tally {
    int sequence;
    int inBursts;
    int clones;
    int reused;
    int templates;
    int wrong;
    final Map<String, Integer> cold = new TreeMap<>();
    final List<Long> ms = new ArrayList<>();
    final Map<String, Set<String>> drawn = new HashMap<>();
    int draws;
  }

  private final Path home;
  private final Path stock;
  private final Path work;
  private final PoolDirectory pool;
  private final Path out;
  private final List<List<String>> programs;
  private final Random random;
  private final Map<String, Tally> tallies = new TreeMap<>();
  private final Set<Long> jvms = new HashSet<>();
  private final ExecutorService workers = Executors.newFixedThreadPool(BURST);
  private int runs;
  private int checked;
  private int remaining;

  private Clones(Path home, Path stock, Path work, Path pool, long seed, Path out)
      throws IOException {
    this.home = home;
    this.stock = stock;
    this.work = work;
    this.pool = PoolDirectory.at(pool);
    this.out = out;
    random = new Random(seed);
    programs =
        List.of(
            List.of("Small"),
            List.of("Collects", "exit"),
            List.of("Collects"),
            List.of("Busy", "60"),
            List.of("Exits", "exit-while-all-wait"),
            List.of("Exits", "halt-in-hook"),
            List.of("Exits", "uncaught-thread"),
            List.of("Exits", "stack-overflow"),
            List.of("com.sun.tools.javac.Main", "-d", ".", work.resolve("Small.java").toString()),
            List.of("Draws"));
  }

  public static void main(String[] args) throws Exception {
    long seed = Long.parseLong(args[4]);
    int sequence = Integer.parseInt(args[5]);
    int bursts = Integer.parseInt(args[6]);
    Path out = Path.of(args[7]);
    Clones clones =
        new Clones(
            Path.of(args[0]), Path.of(args[1]), Path.of(args[2]), Path.of(args[3]), seed, out);
    long begin = System.nanoTime();
    boolean right;
    try {
      right = clones.run(sequence, bursts);
    } finally {
      clones.workers.shutdownNow();
    }
    long minutes = (System.nanoTime() - begin) / 60_000_000_000L;
    String report = clones.report(seed, minutes, args[8], args[9]);
    System.out.print(report);
    Files.writeString(out.resolve("clones.md"), report);
    System.exit(right ? 0 : 1);
  }

  private boolean run(int sequence, int bursts) throws Exception {
    int kind = 0;
    for (Map.Entry<String, String> entry : KINDS.entrySet()) {
      int of = KINDS.size();
      Tally tally = new Tally();
      tallies.put(entry.getKey(), tally);
      Map<List<String>, Result> expected = new HashMap<>();
      for (List<String> program : programs) {
        expected.put(program, run(stock, entry.getValue(), program).result());
      }
      int left = share(sequence, kind, of);
      int leftBursts = share(bursts, kind, of);
      while (left > 0 || leftBursts > 0) {
        int size = Math.min(left, RUNS_OF_A_TEMPLATE);
        int shareOfBursts = size == left ? leftBursts : leftBursts * size / left;
        trainAndUse(entry.getValue(), tally, expected, size, shareOfBursts);
        left -= size;
        leftBursts -= shareOfBursts;
        System.err.printf(
            "clones: %s: %d in sequence, %d in bursts; in clones %d, wrong %d%n",
            entry.getKey(), tally.sequence, tally.inBursts, tally.clones, tally.wrong);
      }
      kind++;
    }
    return remaining == 0
        && crashes() == 0
        && tallies.values().stream().allMatch(t -> t.wrong == 0);
  }

  private static int share(int all, int number, int of) {
    return all / of + (number < all % of ? 1 : 0);
  }

  /** One template: its training, its clones in an order that the seed decides, and its end. */
  private void trainAndUse(
      String option, Tally tally, Map<List<String>, Result> expected, int size, int bursts)
      throws Exception {
    tally.templates++;
    for (int i = 0; i < TRAINING_RUNS; i++) {
      List<String> program =
          i % 2 == 0 ? List.of("Busy", Integer.toString(20 + random.nextInt(300))) : any();
      run(home, option, program);
      awaitRest();
    }
    List<Boolean> isBurst = new ArrayList<>();
    for (int i = 0; i < size + bursts; i++) {
      isBurst.add(i >= size);
    }
    java.util.Collections.shuffle(isBurst, random);
    for (boolean burst : isBurst) {
      if (burst) {
        burst(option, tally, expected);
      } else {
        tally.sequence++;
        check(tally, run(home, option, any()), expected);
      }
    }
    end();
  }

  private List<String> any() {
    return programs.get(random.nextInt(programs.size()));
  }

  private void burst(String option, Tally tally, Map<List<String>, Result> expected)
      throws Exception {
    List<Future<Seen>> futures = new ArrayList<>();
    for (int i = 0; i < BURST; i++) {
      List<String> program = any();
      futures.add(workers.submit((Callable<Seen>) () -> run(home, option, program)));
    }
    for (Future<Seen> future : futures) {
      tally.inBursts++;
      check(tally, future.get(), expected);
    }
  }

  private void check(Tally tally, Seen seen, Map<List<String>, Result> expected)
      throws IOException {
    checked++;
    Result stockResult = expected.get(seen.program());
    String trace = seen.trace();
    if (trace.contains("\"isolation\":\"clone\"")) {
      tally.clones++;
      tally.ms.add(seen.ms());
    } else if (trace.contains("\"served\":\"pool\"")) {
      tally.reused++;
    } else {
      Matcher reason = REASON.matcher(trace);
      tally.cold.merge(reason.find() ? reason.group(1) : "no trace", 1, Integer::sum);
    }
    Matcher jvm = JVM.matcher(trace);
    if (jvm.find()) {
      jvms.add(Long.parseLong(jvm.group(1)));
    }
    String why = seen.result().equals(stockResult) ? "" : "another result";
    if (seen.program().get(0).equals("Draws")) {
      why = drawsAgain(tally, seen.result());
    }
    if (!why.isEmpty()) {
      tally.wrong++;
      String text =
          "%s: %s%n%s%n== expected%n%s%n== was%n%s%n"
              .formatted(seen.program(), why, trace, stockResult, seen.result());
      Files.writeString(out.resolve("wrong-" + checked), text);
      System.err.println("clones: wrong: " + seen.program() + ": " + why + ": " + trace);
    }
  }

  /** Empty if it has drawn what no run before has. */
  private static String drawsAgain(Tally tally, Result result) {
    tally.draws++;
    List<String> lines = result.out().lines().toList();
    if (result.status() != 0 || lines.size() != 16) {
      return "not all was drawn";
    }
    for (String line : lines) {
      String[] parts = line.split("=", 2);
      // The numbers of processes come again.
      if (!parts[0].equals("pid")
          && !tally.drawn.computeIfAbsent(parts[0], n -> new HashSet<>()).add(parts[1])) {
        return "drawn before: " + line;
      }
    }
    return "";
  }

  // ---- one run

  private Seen run(Path java, String option, List<String> program) throws Exception {
    Path folder;
    synchronized (this) {
      folder = Files.createDirectory(work.resolve("run-" + ++runs));
    }
    Path files = Files.createDirectory(folder.resolve("files"));
    Path trace = folder.resolve("trace");
    List<String> command = new ArrayList<>(List.of(java.resolve("bin/java").toString(), option));
    command.addAll(List.of("-Xmx64m", "--add-opens", "java.base/java.util=ALL-UNNAMED"));
    command.addAll(List.of("-cp", work.resolve("classes").toString()));
    command.addAll(program);
    ProcessBuilder builder = new ProcessBuilder(command).directory(files.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                "/usr/bin:/bin",
                "LANG",
                "C.UTF-8",
                "HOTTUB_DIR",
                pool.root().toString(),
                "HOTTUB_TRACE",
                trace.toString()));
    builder.redirectInput(new File("/dev/null"));
    builder.redirectOutput(folder.resolve("out").toFile());
    builder.redirectError(folder.resolve("err").toFile());
    long begin = System.nanoTime();
    Process process = builder.start();
    boolean ended = process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS);
    process.destroyForcibly();
    long ms = (System.nanoTime() - begin) / 1_000_000;
    // -1: it hangs, as no run does on the stock JDK.
    Result result =
        new Result(
            ended ? process.exitValue() : -1,
            text(folder.resolve("out")),
            text(folder.resolve("err")),
            digest(files));
    String line = Files.exists(trace) ? text(trace).strip() : "";
    delete(folder);
    return new Seen(program, result, line, ms);
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  private static String digest(Path folder) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        int hash = java.util.Arrays.hashCode(Files.readAllBytes(file));
        all.append(folder.relativize(file)).append(' ').append(hash).append('\n');
      }
    }
    return all.toString();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  // ---- the pool

  /** Until the JVM in training is idle, or a template with a clone that is ready. */
  private void awaitRest() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_END_S);
    while (pool.sockets().stream().noneMatch(KeeperSocket::idleHint)) {
      if (System.nanoTime() > deadline) {
        return;
      }
      Thread.sleep(5);
    }
  }

  /** Ends all JVMs of the pool; again and again, for a clone may be made meanwhile. */
  private void end() throws Exception {
    Set<Long> keepers = new HashSet<>();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_END_S);
    do {
      retireAll(keepers);
      Thread.sleep(20);
    } while (living(keepers) + pool.sockets().size() > 0 && System.nanoTime() < deadline);
    remaining += living(keepers);
    jvms.clear();
  }

  private void retireAll(Set<Long> keepers) throws IOException {
    for (KeeperSocket socket : pool.sockets()) {
      keepers.add(socket.keeperPid());
      Duration answer = Duration.ofSeconds(LONGEST_END_S);
      try (KeeperConnection connection = KeeperConnection.open(socket, answer)) {
        connection.retire();
      } catch (IOException e) {
        // It is not there any more.
      }
    }
  }

  private int living(Set<Long> keepers) {
    return lives(keepers, "keeper") + lives(jvms, "pooled-java");
  }

  private static int lives(Set<Long> pids, String program) {
    int count = 0;
    for (long pid : pids) {
      boolean is =
          ProcessHandle.of(pid)
              .flatMap(p -> p.info().command())
              .filter(c -> c.endsWith("/" + program))
              .isPresent();
      count += is ? 1 : 0;
    }
    return count;
  }

  private long crashes() throws IOException {
    try (Stream<Path> files = Files.walk(pool.root())) {
      return files.filter(f -> f.getFileName().toString().startsWith("hs_err")).count();
    }
  }

  // ---- the report

  private String report(long seed, long minutes, String machine, String versions)
      throws IOException {
    StringBuilder rows = new StringBuilder();
    tallies.forEach(
        (kind, t) ->
            rows.append(
                "| %s | %d | %d | %d | %d | %d | %d | %s | %d | %s |%n"
                    .formatted(
                        kind,
                        t.templates,
                        t.sequence,
                        t.inBursts,
                        t.clones,
                        t.draws,
                        t.reused,
                        t.cold.entrySet().stream()
                            .map(e -> e.getValue() + " " + e.getKey())
                            .collect(Collectors.joining(", ")),
                        t.wrong,
                        t.ms.isEmpty() ? "" : "%.0f".formatted(Stats.median(t.ms)))));
    int sequence = tallies.values().stream().mapToInt(t -> t.sequence).sum();
    int inBursts = tallies.values().stream().mapToInt(t -> t.inBursts).sum();
    int wrong = tallies.values().stream().mapToInt(t -> t.wrong).sum();
    return """
# Clones: campaign

Ten programs in clones, in an order that a seed decides: small ones, javac, ends of every kind, threads and timers that
are busy when the run ends, garbage, and every source of randomness. A template is trained with six runs, half of them
with busy threads, and serves at most %d runs in sequence and its part of the bursts, %d runs at once. Wrong: exit
status, standard output, standard error or files are not those of the stock JDK, a run lasts longer than %d s, or it
draws what another has drawn. Made by `integration-tests/campaigns/clones/run`.

**%d runs in sequence and %d in bursts: %d wrong; %d reports of crashes; %d processes left.** Seed %d, %d minutes.

| JVM | templates | in sequence | in bursts | in clones | of them draw | in reuse | cold | wrong | median, ms |
|---|---:|---:|---:|---:|---:|---:|---|---:|---:|
%s
In reuse: no template had come of the training. Median: wall time of the runs in clones, those of bursts among them; on
a busy machine, not a benchmark.

- Machine: %s.
- Versions: %s.
"""
        .formatted(
            RUNS_OF_A_TEMPLATE,
            BURST,
            LONGEST_RUN_S,
            sequence,
            inBursts,
            wrong,
            crashes(),
            remaining,
            seed,
            minutes,
            rows,
            machine,
            versions);
  }
}
