// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No run sees what the runs before have done: a probe prints the same as in a new JVM. */
@NeedsHome
class StateIT {
  private static final int ROUNDS = 3;

  private Pool pool;
  private int port;
  private List<String> common;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Path classes = Home.compile(pool.work().resolve("classes"), "Dirty", "Probe");
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    common = List.of("-XX:MaxDirectMemorySize=48m", "-cp", classes.toString());
    Path other = Files.createDirectory(pool.work().resolve("other"));
    for (Path folder : List.of(pool.work(), other)) {
      Files.writeString(folder.resolve("marker"), "marker of " + folder.getFileName());
    }
    try (OutputStream file = Files.newOutputStream(other.resolve("some.zip"));
        ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.putNextEntry(new ZipEntry("entry"));
    }
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private Outcome probe(Path java) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", "umask 037; exec \"$@\"", "-"));
    command.add(java.toString());
    command.add("-Dprobe=1");
    command.addAll(common);
    command.addAll(List.of("Probe", Integer.toString(port)));
    ProcessBuilder builder = pool.builder(command);
    builder.environment().put("MARK", "of the probe");
    Path in = pool.work().resolve("in");
    Files.writeString(in, "some input");
    builder.redirectInput(in.toFile());
    return pool.start(builder).await();
  }

  private Outcome dirty() throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", "umask 0; exec \"$@\"", "-"));
    command.add(Home.JAVA.toString());
    command.add("-Ddirty=at-start");
    command.addAll(common);
    command.addAll(List.of("Dirty", Integer.toString(port), "21"));
    ProcessBuilder builder = pool.builder(command);
    builder.directory(pool.work().resolve("other").toFile());
    builder.environment().put("MARK", "dirty");
    builder.environment().put("DIRTY", "yes");
    return pool.start(builder).await();
  }

  @Test
  void aProbeSeesNothingOfFormerRuns() throws Exception {
    Outcome stock = probe(Home.COLD_JAVA);
    assertTrue(stock.out().contains("no line break"), stock.toString());
    List<String> failures = new ArrayList<>();
    compare("first run", stock, failures);
    for (int round = 1; round <= ROUNDS; round++) {
      assertEquals(new Outcome(21, "dirty\n", ""), dirty(), "round " + round + pool.logs());
      assertFalse(
          Files.exists(pool.work().resolve("other/delete-on-exit")), "deleteOnExit, " + round);
      // Free as soon as the client has ended.
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      pool.awaitIdle();
      compare("after " + round, stock, failures);
    }
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
    pool.assertOneJvmServedLast(1 + 2 * ROUNDS);
  }

  private void compare(String when, Outcome stock, List<String> failures) throws Exception {
    Outcome outcome = probe(Home.JAVA);
    pool.awaitIdle();
    outcome.differences(stock).forEach(line -> failures.add(when + ":\n  " + line));
  }

  /** The class library copies some properties when it first needs them. */
  @Test
  void copiesOfPropertiesAreThoseOfTheRun() throws Exception {
    Path work = pool.work();
    Path copies = Home.compile(work.resolve("copies"), "Copies");
    for (String folder : List.of("one", "two")) {
      Files.createDirectories(work.resolve(folder).resolve("tmp"));
      Files.writeString(work.resolve(folder).resolve("marker"), "marker of " + folder);
    }
    Home.compileLibrary(work.resolve("one/libnatives.so"), "natives");
    for (String folder : List.of("one", "two", "one", "two", "")) {
      List<String> arguments = new ArrayList<>(List.of("-cp", copies.toString(), "Copies"));
      if (!folder.isEmpty()) {
        Path of = work.resolve(folder);
        arguments.add(0, "-Djava.io.tmpdir=" + of.resolve("tmp"));
        arguments.add(0, "-Djava.library.path=" + of);
        arguments.add(0, "-Duser.dir=" + of);
      }
      List<Outcome> outcomes = new ArrayList<>();
      for (Path java : List.of(Home.COLD_JAVA, Home.JAVA)) {
        ProcessBuilder builder = pool.builder(Pool.command(java, arguments));
        builder.environment().put("LD_LIBRARY_PATH", "/none/" + folder);
        outcomes.add(pool.start(builder).await());
        pool.awaitIdle();
      }
      assertEquals(0, outcomes.get(0).status(), outcomes.toString());
      assertEquals(outcomes.get(0), outcomes.get(1), folder + pool.logs());
    }
    pool.assertOneJvmServedLast(5);
  }

  @Test
  void descriptorsAndThreadsDoNotGrow() throws Exception {
    dirty();
    pool.awaitIdle();
    long jvm = pool.state().jvmPid();
    List<String> descriptors = descriptors(jvm);
    for (int round = 0; round < ROUNDS; round++) {
      dirty();
      pool.awaitIdle();
      assertEquals(descriptors, descriptors(jvm), "round " + round);
    }
    pool.assertOneJvmServedLast(1 + ROUNDS);
  }

  /** Each holds 32 KiB of native memory that goes only when it is closed. */
  @Test
  void openDirectoryStreamsLeaveNoMemory() throws Exception {
    Path folders = Home.compile(pool.work().resolve("folders"), "Folders");
    long before = 0;
    for (int run = 1; run <= 12; run++) {
      assertEquals(
          new Outcome(0, "200\n", ""),
          pool.run("-cp", folders.toString(), "Folders"),
          "run " + run);
      pool.awaitIdle();
      if (run == 2) {
        before = dataKib(pool.state().jvmPid());
      }
    }
    long grown = dataKib(pool.state().jvmPid()) - before;
    assertTrue(grown < 30 * 1024, "grown by " + grown + " KiB");
    pool.assertOneJvmServedLast(12);
  }

  private static long dataKib(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmData:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> descriptors(long pid) throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> links = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path link : links.sorted().toList()) {
        all.add(link.getFileName() + " " + Files.readSymbolicLink(link));
      }
    }
    return all;
  }
}
