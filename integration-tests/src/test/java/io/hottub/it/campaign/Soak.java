// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs programs on HotTub that end in many ways, compares every result with that of the stock JDK,
 * and samples the JVMs that serve them.
 *
 * <p>Reads the programs from standard input, one way to end a line, fields separated by tabs: name
 * of the program, weight of the program, what is done to the client, arguments of java separated by
 * spaces. What is done: {@code none}; a signal {@code TERM}, {@code HUP}, {@code INT}, {@code KILL}
 * as soon as the run has written "waiting"; or {@code TERM?}, {@code KILL?} at a random moment.
 *
 * <p>Writes samples.tsv and ends.tsv, which {@code SoakReport} reads.
 */
public final class Soak {
  private static final long LONGEST_RUN_S = 180;
  private static final long LONGEST_RESET_S = 30;

  /**
   * A JVM that has been idle for 8 s gives memory back; only then is what it holds worth a look.
   */
  private static final long REST_MS = 10_000;

  private static final Pattern JVM = Pattern.compile("\"jvm_pid\":(\\d+)");
  private static final Pattern FINGERPRINT = Pattern.compile("\"fingerprint\":\"(\\w{32})");
  private static final Pattern RUN = Pattern.compile("\"run\":(\\d+)");

  /** What a run was for its caller. */
  record Result(int status, String out, String err, String files) {
    /** Whether a run that was killed on its way to the other outcome may look like this. */
    boolean isStartOf(Result whole, int deadly) {
      return equals(whole)
          || (status == deadly && whole.out.startsWith(out) && whole.err.startsWith(err));
    }
  }

  record Way(String action, List<String> arguments) {
    String signal() {
      return action.replace("?", "");
    }

    boolean isRandom() {
      return action.endsWith("?");
    }

    int deadly() {
      return 128 + Map.of("TERM", 15, "KILL", 9, "HUP", 1, "INT", 2).get(signal());
    }
  }

  static final class Program {
    final String name;
    final int weight;
    final List<Way> ways = new ArrayList<>();
    final List<Result> expected = new ArrayList<>();
    final AtomicInteger leases = new AtomicInteger();
    long typicalMs = 200;
    String fingerprint;
    String lastLine;
    long lastUsed;

    Program(String name, int weight) {
      this.name = name;
      this.weight = weight;
    }
  }

  private final Path home;
  private final Path stock;
  private final Path work;
  private final PoolDirectory pool;
  private final int turns;
  private final PrintWriter samples;
  private final PrintWriter ends;
  private final AtomicInteger wrong = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();

  private Soak(Path home, Path stock, Path work, Path pool, int turns, Path out)
      throws IOException {
    this.home = home;
    this.stock = stock;
    this.work = work;
    this.pool = PoolDirectory.at(pool);
    this.turns = turns;
    samples = new PrintWriter(Files.newBufferedWriter(out.resolve("samples.tsv")));
    ends = new PrintWriter(Files.newBufferedWriter(out.resolve("ends.tsv")));
  }

  public static void main(String[] args) throws Exception {
    Soak soak =
        new Soak(
            Path.of(args[0]),
            Path.of(args[1]),
            Path.of(args[2]),
            Path.of(args[3]),
            Integer.parseInt(args[5]),
            Path.of(args[7]));
    int leases = Integer.parseInt(args[4]);
    int workers = Integer.parseInt(args[6]);
    List<Program> programs = read();
    System.exit(soak.run(programs, leases, workers) ? 0 : 1);
  }

  private static List<Program> read() throws IOException {
    Map<String, Program> programs = new TreeMap<>();
    for (String line :
        new String(System.in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
      String[] f = line.split("\t", -1);
      Program program =
          programs.computeIfAbsent(f[0], name -> new Program(name, Integer.parseInt(f[1])));
      program.ways.add(new Way(f[2], List.of(f[3].trim().split(" +", -1))));
    }
    return List.copyOf(programs.values());
  }

  private boolean run(List<Program> programs, int leases, int workers) throws Exception {
    // Each program has one worker, so that nobody else uses its JVM.
    List<List<Program>> shares = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      shares.add(new ArrayList<>());
    }
    for (int i = 0; i < programs.size(); i++) {
      shares.get(i % workers).add(programs.get(i));
    }
    var executor = Executors.newFixedThreadPool(workers);
    List<Future<?>> futures = new ArrayList<>();
    try {
      for (int i = 0; i < workers; i++) {
        int weights = programs.stream().mapToInt(p -> p.weight).sum();
        Worker worker = new Worker(i, shares.get(i), leases, weights);
        futures.add(executor.submit((Callable<?>) worker::work));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    } finally {
      executor.shutdownNow();
      samples.close();
      ends.close();
    }
    return wrong.get() == 0;
  }

  /** Runs its programs in turn, so that each JVM has a rest before its next lease. */
  private final class Worker {
    private final List<Program> programs;
    private final int all;
    private final int weights;
    private final Path folder;
    private final Path trace;
    private final Random random;

    Worker(int number, List<Program> programs, int all, int weights) throws IOException {
      this.programs = programs;
      this.all = all;
      this.weights = weights;
      this.folder = Files.createDirectories(work.resolve("worker-" + number));
      this.trace = folder.resolve("trace");
      this.random = new Random(number);
    }

    Void work() throws Exception {
      for (Program program : programs) {
        for (Way way : program.ways) {
          long begin = System.nanoTime();
          program.expected.add(run(stock.resolve("bin/java"), program, way, false));
          program.typicalMs = (System.nanoTime() - begin) / 1_000_000;
        }
        System.err.printf("soak: %s: %d ways to end, cold%n", program.name, program.ways.size());
      }
      for (int turn = 1; turn <= turns; turn++) {
        for (Program program : programs) {
          sampleAfterRest(program);
          long until = (long) all * program.weight / weights * turn / turns;
          while (program.leases.get() < until) {
            lease(program);
            countLease();
          }
        }
      }
      for (Program program : programs) {
        sampleAfterRest(program);
      }
      return null;
    }

    private void countLease() {
      int now = done.incrementAndGet();
      if (now % Math.max(100, all / 50) == 0) {
        System.err.printf("soak: %d of %d leases, %d wrong%n", now, all, wrong.get());
        samples.flush();
        ends.flush();
      }
    }

    private void sampleAfterRest(Program program) throws Exception {
      if (program.lastLine != null) {
        long rested = (System.nanoTime() - program.lastUsed) / 1_000_000;
        Thread.sleep(Math.max(0, REST_MS - rested));
        sample(program, program.leases.get(), program.lastLine);
      }
    }

    private void lease(Program program) throws Exception {
      int which = random.nextInt(program.ways.size());
      Way way = program.ways.get(which);
      Result expected = program.expected.get(which);
      Files.deleteIfExists(trace);
      long begin = System.nanoTime();
      Result outcome = run(home.resolve("bin/java"), program, way, way.isRandom());
      program.typicalMs = (program.typicalMs * 7 + (System.nanoTime() - begin) / 1_000_000) / 8;
      int number = program.leases.incrementAndGet();
      boolean right =
          way.isRandom() ? outcome.isStartOf(expected, way.deadly()) : outcome.equals(expected);
      String line = Files.exists(trace) ? Files.readString(trace).strip() : "";
      boolean warm = line.contains("\"served\":\"pool\"");
      if (!right) {
        wrong.incrementAndGet();
        Path difference = work.resolve("wrong-" + program.name + "-" + number);
        Files.writeString(
            difference, way + "\n" + line + "\n== expected\n" + expected + "\n== was\n" + outcome);
        System.err.printf(
            "soak: lease %d of %s differs: %s, status %d instead of %d%n",
            number, program.name, way, outcome.status, expected.status);
      }
      ends.printf(
          "%s\t%d\t%s\t%d\t%s\t%s\t%s%n",
          program.name,
          number,
          way.action,
          outcome.status,
          right ? "right" : "wrong",
          warm ? "pool" : line.isEmpty() ? "killed" : "cold",
          warm ? "" : line);
      if (warm) {
        program.fingerprint = group(FINGERPRINT, line);
        program.lastLine = line;
      }
      // A client that was killed leaves no line, but its lease has to be taken back.
      if (program.fingerprint != null) {
        awaitReset(program.fingerprint);
      }
      program.lastUsed = System.nanoTime();
    }

    private Result run(Path java, Program program, Way way, boolean atRandom) throws Exception {
      Path out = folder.resolve("stdout");
      Path err = folder.resolve("stderr");
      Path files = folder.resolve("files");
      delete(files);
      Files.createDirectories(files.resolve("tmp"));
      List<String> command = new ArrayList<>(List.of(java.toString()));
      command.add("-Djava.io.tmpdir=" + files.resolve("tmp"));
      command.addAll(way.arguments);
      Process process = PlainRun.of(command, files, pool.root(), trace, out, err).start();
      try {
        if (atRandom) {
          if (!process.waitFor(
              random.nextInt((int) program.typicalMs * 5 / 4 + 1), TimeUnit.MILLISECONDS)) {
            kill(way.signal(), process);
          }
        } else if (!way.isRandom() && !way.action.equals("none")) {
          awaitText(process, out);
          kill(way.signal(), process);
        }
        if (!process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS)) {
          throw new IOException(program.name + " has not ended: " + way);
        }
      } finally {
        process.destroyForcibly();
      }
      return new Result(process.exitValue(), text(out), text(err), digest(files));
    }

    private void awaitText(Process process, Path out) throws Exception {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_RUN_S);
      while (!text(out).contains("waiting\n")) {
        if (System.nanoTime() > deadline || !process.isAlive()) {
          throw new IOException("nothing that could be killed: " + text(out));
        }
        Thread.sleep(2);
      }
    }

    private void kill(String signal, Process process) throws Exception {
      if (signal.equals("KILL")) {
        process.destroyForcibly();
      } else {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      }
    }

    private void awaitReset(String fingerprint) throws Exception {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_RESET_S);
      while (pool.sockets().stream()
          .anyMatch(s -> s.fingerprintPrefix().equals(fingerprint) && !s.idleHint())) {
        if (System.nanoTime() > deadline) {
          throw new IOException("a JVM is not idle after " + LONGEST_RESET_S + " s");
        }
        Thread.sleep(2);
      }
    }
  }

  // ---- samples

  private void sample(Program program, int number, String line) throws IOException {
    String pid = group(JVM, line);
    Path process = Path.of("/proc", pid);
    try (Stream<Path> descriptors = Files.list(process.resolve("fd"));
        Stream<Path> threads = Files.list(process.resolve("task"))) {
      String memory = Files.readString(process.resolve("smaps_rollup"));
      String audit = audit(group(FINGERPRINT, line));
      String sample =
          String.join(
              "\t",
              program.name,
              Integer.toString(number),
              pid,
              group(RUN, line),
              Long.toString(descriptors.count()),
              Long.toString(threads.count()),
              group(Pattern.compile("Rss: +(\\d+)"), memory),
              group(Pattern.compile("Pss: +(\\d+)"), memory),
              kib(audit, "metaspace_used"),
              kib(audit, "code_used"),
              kib(audit, "heap_used"),
              number(audit, "traps"));
      synchronized (samples) {
        samples.println(sample);
      }
    } catch (IOException e) {
      System.err.println("soak: no sample of JVM " + pid + ", it has ended: " + e);
    }
  }

  private String audit(String fingerprint) throws IOException {
    for (KeeperSocket socket : pool.sockets()) {
      if (socket.fingerprintPrefix().equals(fingerprint)) {
        try (KeeperConnection connection =
            KeeperConnection.open(socket, Duration.ofSeconds(LONGEST_RESET_S))) {
          return connection.audit();
        }
      }
    }
    throw new IOException("no JVM has the fingerprint " + fingerprint);
  }

  private static String kib(String audit, String key) throws IOException {
    return Long.toString(Long.parseLong(number(audit, key)) / 1024);
  }

  private static String number(String audit, String key) throws IOException {
    return group(Pattern.compile("\"" + key + "\":(\\d+)"), audit);
  }

  private static String group(Pattern pattern, String text) throws IOException {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IOException("no " + pattern + " in " + text);
    }
    return matcher.group(1);
  }

  // ---- files

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  /** Names and contents; of temporary files, whose names are random, the number. */
  private static String digest(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      List<String> lines = new ArrayList<>();
      int temporary = 0;
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        if (file.startsWith(folder.resolve("tmp"))) {
          temporary++;
        } else {
          lines.add(folder.relativize(file) + " " + text(file).hashCode());
        }
      }
      return lines + ", temporary: " + temporary;
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
