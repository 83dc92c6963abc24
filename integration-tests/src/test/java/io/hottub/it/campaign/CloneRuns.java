// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The programs of the campaign of clones, and what a run of one was for its caller. */
final class CloneRuns {
  static final List<String> SMALL = List.of("Small");

  /** The last of them, and the only one of which no two runs are equal. */
  static final List<String> DRAWS = List.of("Draws");

  static final long LONGEST_RUN_S = 60;

  private static final int KILLED = 128 + 9;

  /**
   * What a run was for its caller.
   *
   * @param status exit status, -1 if it had not ended in time
   * @param files names and digests of the files that it has written
   */
  record Result(int status, String out, String err, String files) {
    /** Whether the other one may have become this one by SIGKILL. */
    boolean isKilled(Result whole) {
      return status == KILLED && whole.out.startsWith(out) && whole.err.startsWith(err);
    }
  }

  /** The line that the client has written about a run; empty if it was killed before. */
  record Trace(String line) {
    private static final Pattern JVM = Pattern.compile("\"jvm_pid\":(\\d+)");
    private static final Pattern LEASE = Pattern.compile("\"lease_us\":(\\d+)");
    private static final Pattern REASON = Pattern.compile("\"reason\":\"([^\"]+)\"");

    boolean inClone() {
      return line.contains("\"isolation\":\"clone\"");
    }

    boolean fromPool() {
      return line.contains("\"served\":\"pool\"");
    }

    boolean isWarm() {
      return line.contains("\"warm\":true");
    }

    /** Pid of the JVM that has served it; 0 if there is none. */
    long jvm() {
      return number(JVM);
    }

    /** From the start of the client until main was entered. */
    long leaseUs() {
      return number(LEASE);
    }

    String reason() {
      Matcher reason = REASON.matcher(line);
      return reason.find() ? reason.group(1) : "no trace";
    }

    private long number(Pattern pattern) {
      Matcher matcher = pattern.matcher(line);
      return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
  }

  /** A run that may not have ended. */
  record Started(List<String> program, Process process, Path folder, long beganNs) {}

  /** A run that has ended. */
  record Seen(List<String> program, Result result, Trace trace, long beganNs, long endedNs) {
    long ms() {
      return (endedNs - beganNs) / 1_000_000;
    }

    /** When main was entered, as {@code System.nanoTime()}; only of a run from the pool. */
    long enteredNs() {
      return beganNs + trace.leaseUs() * 1000;
    }
  }

  private final Path home;
  private final Path stock;
  private final Path work;
  private final Path pool;
  private final List<List<String>> programs = new ArrayList<>();
  private final AtomicInteger runs = new AtomicInteger();

  CloneRuns(Path home, Path stock, Path work, Path pool) {
    this.home = home;
    this.stock = stock;
    this.work = work;
    this.pool = pool;
    programs.add(SMALL);
    programs.add(List.of("Collects", "exit"));
    programs.add(List.of("Collects"));
    programs.add(List.of("Busy", "60"));
    for (String end :
        List.of("exit-while-all-wait", "halt-in-hook", "uncaught-thread", "stack-overflow")) {
      programs.add(List.of("Exits", end));
    }
    String source = work.resolve("Small.java").toString();
    programs.add(List.of("com.sun.tools.javac.Main", "-d", ".", source));
    programs.add(DRAWS);
  }

  /** Any program. */
  List<String> any(Random random) {
    return programs.get(random.nextInt(programs.size()));
  }

  /** Any program of which all runs are equal. */
  List<String> anyEqual(Random random) {
    return programs.get(random.nextInt(programs.indexOf(DRAWS)));
  }

  /** What each program is on the stock JDK. */
  Map<List<String>, Result> onStock(String option) throws Exception {
    Map<List<String>, Result> results = new HashMap<>();
    for (List<String> program : programs) {
      results.put(program, run(stock, option, program).result());
    }
    return results;
  }

  /** One run through the client, to its end. */
  Seen run(String option, List<String> program) throws Exception {
    return run(home, option, program);
  }

  private Seen run(Path java, String option, List<String> program) throws Exception {
    Started started = start(java, option, program);
    Seen seen = await(started);
    delete(started);
    return seen;
  }

  /** Starts the client. */
  Started start(String option, List<String> program) throws IOException {
    return start(home, option, program);
  }

  private Started start(Path java, String option, List<String> program) throws IOException {
    Path folder = Files.createDirectory(work.resolve("run-" + runs.incrementAndGet()));
    Path files = Files.createDirectory(folder.resolve("files"));
    List<String> command = new ArrayList<>(List.of(java.resolve("bin/java").toString(), option));
    command.addAll(List.of("-Xmx64m", "--add-opens", "java.base/java.util=ALL-UNNAMED"));
    command.addAll(List.of("-cp", work.resolve("classes").toString()));
    command.addAll(program);
    ProcessBuilder builder =
        PlainRun.of(
            command,
            files,
            pool,
            folder.resolve("trace"),
            folder.resolve("out"),
            folder.resolve("err"));
    long began = System.nanoTime();
    return new Started(program, builder.start(), folder, began);
  }

  Seen await(Started run) throws Exception {
    boolean ended = run.process().waitFor(LONGEST_RUN_S, TimeUnit.SECONDS);
    long endedNs = System.nanoTime();
    run.process().destroyForcibly();
    Path folder = run.folder();
    Result result =
        new Result(
            ended ? run.process().exitValue() : -1,
            text(folder.resolve("out")),
            text(folder.resolve("err")),
            digest(folder.resolve("files")));
    Path trace = folder.resolve("trace");
    String line = Files.exists(trace) ? text(trace).strip() : "";
    return new Seen(run.program(), result, new Trace(line), run.beganNs(), endedNs);
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  private static String digest(Path folder) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        int hash = Arrays.hashCode(Files.readAllBytes(file));
        all.append(folder.relativize(file)).append(' ').append(hash).append('\n');
      }
    }
    return all.toString();
  }

  /** Removes what is left of a run of which no process is left. */
  void delete(Started run) throws IOException {
    try (Stream<Path> files = Files.walk(run.folder())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
