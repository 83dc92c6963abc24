// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.faults.FaultJobs.Job;
import io.hottub.it.faults.Injector.Following;
import io.hottub.it.faults.Injector.Result;
import io.hottub.it.harness.Await;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Run;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.MockKeeper;
import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Disturbances of client, keeper, JVM and the files of a pool. */
final class PoolFaults {
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;
  private static final int EAGAIN = 11;
  private static final int ENOMEM = 12;
  private static final int EMFILE = 24;
  private static final int ENOSPC = 28;
  private static final Duration SERVING = Duration.ofSeconds(10);

  private final FaultJobs jobs;
  private final Injector injector;

  PoolFaults(FaultJobs jobs, Injector injector) {
    this.jobs = jobs;
    this.injector = injector;
  }

  /** All kinds, with how often each is to happen in relation to the others. */
  Map<String, Integer> shares() {
    Map<String, Integer> shares = new LinkedHashMap<>();
    kinds().forEach((kind, fault) -> shares.put(kind, kind.startsWith("SIG") ? 3 : 2));
    return shares;
  }

  Map<String, Fault> kinds() {
    Map<String, Fault> kinds = new LinkedHashMap<>();
    kinds.put("SIGKILL to the client", random -> client(random, "kill", SIGKILL));
    kinds.put("SIGSTOP to the client", random -> client(random, stop(random)));
    kinds.put("SIGTERM to the client", this::terminated);
    kinds.put("client: EMFILE", random -> client(random, error(EMFILE)));
    kinds.put("client: ENOSPC", random -> client(random, error(ENOSPC)));
    kinds.put("client: ENOMEM", random -> client(random, error(ENOMEM)));
    kinds.put("client: EAGAIN of fork", random -> client(random, error(EAGAIN)));
    kinds.put("SIGKILL to the keeper", random -> keeper(random, "kill", SIGKILL));
    kinds.put("SIGSTOP to the keeper", random -> keeper(random, stop(random)));
    kinds.put("keeper: EMFILE", random -> keeper(random, error(EMFILE)));
    kinds.put("keeper: ENOSPC", random -> keeper(random, error(ENOSPC)));
    kinds.put("SIGKILL to the JVM", random -> jvm(random, "kill", SIGKILL));
    kinds.put("SIGSTOP to the JVM", random -> jvm(random, stop(random)));
    kinds.put("clock of the client jumps", random -> client(random, clock(random)));
    kinds.put("clock of the keeper jumps", random -> serving(keeper(random, clock(random))));
    kinds.put("clock of the JVM jumps", random -> serving(jvm(random, clock(random))));
    kinds.put("half-written or wrong frame", this::frame);
    kinds.put("64 connections that say nothing", this::silentConnections);
    kinds.put("forged keeper", this::forgedKeeper);
    kinds.put("stale socket, its pid in use again", this::staleSocket);
    kinds.put("sockets removed", this::socketsRemoved);
    kinds.put("damaged file of the pool", this::damagedFile);
    kinds.put("start lock held", this::lockHeld);
    kinds.put("few descriptors", this::fewDescriptors);
    kinds.put("full disk", this::fullDisk);
    kinds.put("changed jar of the same name and size", this::changedJar);
    kinds.put("file times in the future", this::future);
    kinds.put("6 jobs at once, one killed", this::burst);
    return kinds;
  }

  private static String stop(Random random) {
    return "stop:" + (20 + random.nextInt(600));
  }

  private static String clock(Random random) {
    return Injector.jump(Injector.someJump(random));
  }

  private static String error(int number) {
    return "error:" + number;
  }

  // ---- processes at a step of the protocol

  /** On a warm JVM, or without any JVM, so that the client starts one. */
  private Fault.Injection client(Random random, String action, Integer... signals)
      throws Exception {
    boolean starting = random.nextInt(3) == 0 || action.equals(error(EAGAIN));
    prepare(starting);
    Path report = injector.newReport();
    String kind = action.replaceAll("stop.*", "stop:1");
    jobs.assertComplete(jobs.start(injector.prefix(report, 0, kind), Home.JAVA, 0));
    int calls = injector.result(report).calls();
    assertTrue(calls > 0, "there is nothing to disturb: " + action);
    prepare(starting);
    int place = 1 + random.nextInt(calls);
    report = injector.newReport();
    int ms = random.nextInt(40);
    Job job = jobs.start(injector.prefix(report, place, action), Home.JAVA, ms);
    String end = jobs.end(job, signals);
    boolean done = injector.result(report).done();
    if (done && signals.length > 0) {
      assertEquals("signal " + signals[0], end, "it was killed");
    }
    return new Fault.Injection(
        "%s at call %d of %d%s".formatted(action, place, calls, starting ? ", no JVM" : ""),
        done,
        end);
  }

  private void prepare(boolean starting) throws Exception {
    if (starting) {
      jobs.retireAll();
    } else {
      jobs.onlyKeeper();
    }
  }

  private Fault.Injection terminated(Random random) throws Exception {
    prepare(random.nextInt(3) == 0);
    int delay = random.nextInt(120);
    Job job = jobs.start(random.nextInt(60));
    Thread.sleep(delay);
    boolean reached = signal("TERM", job);
    return new Fault.Injection("after " + delay + " ms", reached, jobs.end(job, SIGTERM));
  }

  /** False if it has ended. */
  private static boolean signal(String name, Job job) throws Exception {
    String pid = Long.toString(job.run().pid());
    Process kill = new ProcessBuilder("kill", "-" + name, pid).redirectErrorStream(true).start();
    return kill.waitFor() == 0;
  }

  private Fault.Injection keeper(Random random, String action, Integer... signals)
      throws Exception {
    KeeperSocket keeper = jobs.onlyKeeper();
    return followed(random, keeper.keeperPid(), action, signals);
  }

  /** The thread that talks to the keeper, or the one that runs main. */
  private Fault.Injection jvm(Random random, String action, Integer... signals) throws Exception {
    long pid = jobs.state(jobs.onlyKeeper()).jvmPid();
    long thread = random.nextBoolean() ? pid : secondThread(pid);
    return followed(random, thread, action, signals);
  }

  /** What was done has not cost the JVM, neither at once nor when the NodeManager looks. */
  private Fault.Injection serving(Fault.Injection done) throws Exception {
    long jvm = jobs.pool().servedLast();
    jobs.pool().awaitIdle();
    Thread.sleep(ClockFaults.LOOKS_MS);
    jobs.assertComplete(jobs.start(0));
    jobs.assertServedBy(jvm);
    return done;
  }

  private static long secondThread(long pid) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return threads
          .mapToLong(thread -> Long.parseLong(thread.getFileName().toString()))
          .sorted()
          .skip(1)
          .findFirst()
          .orElse(pid);
    }
  }

  private Fault.Injection followed(Random random, long thread, String action, Integer... signals)
      throws Exception {
    String kind = action.replaceAll("stop.*", "stop:1");
    Following counter = injector.follow(thread, 0, kind);
    jobs.assertComplete(jobs.start(0));
    jobs.pool().awaitIdle();
    int calls = counter.end().calls();
    int place = 1 + random.nextInt(Math.max(1, calls));
    Following following = injector.follow(thread, place, action);
    Job job = jobs.start(random.nextInt(40));
    String end = jobs.end(job, signals);
    Result result = following.end();
    return new Fault.Injection(
        "%s at call %d of %d".formatted(action, place, calls), result.done(), end);
  }

  // ---- what comes over sockets

  private Fault.Injection frame(Random random) throws Exception {
    KeeperSocket keeper = jobs.onlyKeeper();
    byte[] frame = someFrame(random);
    int length = random.nextInt(frame.length + 1);
    boolean leased = random.nextBoolean();
    Job early = leased ? jobs.start(150) : null;
    Thread.sleep(leased ? 30 : 0);
    boolean offered = random.nextBoolean();
    String prefix =
        offered ? "offers/l-" : Files.exists(FaultJobs.path("i-", keeper)) ? "i-" : "b-";
    Path path = FaultJobs.path(prefix, keeper);
    try (SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      connection.write(ByteBuffer.wrap(frame, 0, length));
      if (random.nextBoolean()) {
        connection.shutdownOutput();
      }
      jobs.assertComplete(jobs.start(0));
    }
    if (early != null) {
      jobs.assertComplete(early);
    }
    return new Fault.Injection(
        "%d of %d bytes%s%s"
            .formatted(
                length, frame.length, leased ? ", leased" : "", offered ? ", as an offer" : ""),
        true,
        FaultJobs.COMPLETE);
  }

  private static byte[] someFrame(Random random) {
    int magic = random.nextInt(4) == 0 ? random.nextInt() : 0x42555448;
    short version = (short) (random.nextInt(4) == 0 ? random.nextInt() : 1);
    // Not those that end leases or JVMs, which is no disturbance but an order.
    int[] types = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 99};
    byte[] payload = new byte[random.nextInt(3) == 0 ? random.nextInt(70_000) : random.nextInt(64)];
    random.nextBytes(payload);
    int said = random.nextInt(3) == 0 ? random.nextInt() : payload.length;
    return ByteBuffer.allocate(12 + payload.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(magic)
        .putShort(version)
        .putShort((short) types[random.nextInt(types.length)])
        .putInt(said)
        .put(payload)
        .array();
  }

  private Fault.Injection silentConnections(Random random) throws Exception {
    KeeperSocket keeper = jobs.onlyKeeper();
    List<SocketChannel> connections = new ArrayList<>();
    try {
      for (int i = 0; i < 64; i++) {
        connections.add(
            SocketChannel.open(UnixDomainSocketAddress.of(FaultJobs.path("i-", keeper))));
      }
      jobs.assertComplete(jobs.start(random.nextInt(20)));
    } finally {
      for (SocketChannel connection : connections) {
        connection.close();
      }
    }
    return new Fault.Injection("", true, FaultJobs.COMPLETE);
  }

  private Fault.Injection forgedKeeper(Random random) throws Exception {
    KeeperSocket keeper = jobs.onlyKeeper();
    byte[] noise = new byte[1 + random.nextInt(40)];
    random.nextBytes(noise);
    byte[] granted = someFrameOf(2, 8);
    byte[][] answers = {null, noise, new byte[0], granted, java.util.Arrays.copyOf(granted, 15)};
    int choice = random.nextInt(answers.length);
    boolean reached;
    try (MockKeeper forged =
        MockKeeper.idle(
            keeper.folder(),
            ProcessHandle.current().pid(),
            (request, payload) -> answers[choice])) {
      jobs.assertComplete(jobs.start(0));
      // Not if it is as old as the real one, to the tick of the kernel's clock.
      reached = forged.requests().contains("LEASE");
    }
    String[] names = {"silent", "noise", "empty answers", "grants and is silent", "half a grant"};
    return new Fault.Injection(names[choice], reached, FaultJobs.COMPLETE);
  }

  private static byte[] someFrameOf(int type, int length) {
    return ByteBuffer.allocate(12 + length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0x42555448)
        .putShort((short) 1)
        .putShort((short) type)
        .putInt(length)
        .array();
  }

  // ---- files

  private Fault.Injection staleSocket(Random random) throws Exception {
    KeeperSocket keeper = jobs.onlyKeeper();
    for (String name : List.of("i-1", "b-1", "offers/l-1", "i-" + ProcessHandle.current().pid())) {
      Path socket = keeper.folder().resolve(name);
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(socket));
      }
    }
    prepare(random.nextBoolean());
    jobs.assertComplete(jobs.start(0));
    return new Fault.Injection("", true, FaultJobs.COMPLETE);
  }

  private Fault.Injection socketsRemoved(Random random) throws Exception {
    KeeperSocket keeper = jobs.onlyKeeper();
    boolean leased = random.nextBoolean();
    Job early = leased ? jobs.start(150) : null;
    Thread.sleep(leased ? 50 : 0);
    boolean onlyOffers = random.nextBoolean();
    Files.deleteIfExists(FaultJobs.path("offers/l-", keeper));
    if (!onlyOffers) {
      Files.deleteIfExists(FaultJobs.path("i-", keeper));
      Files.deleteIfExists(FaultJobs.path("b-", keeper));
    }
    jobs.assertComplete(jobs.start(0));
    if (early != null) {
      jobs.assertComplete(early);
    }
    return new Fault.Injection(
        (leased ? "leased" : "idle") + (onlyOffers ? ", only that for offers" : ""),
        true,
        FaultJobs.COMPLETE);
  }

  private Fault.Injection damagedFile(Random random) throws Exception {
    jobs.onlyKeeper();
    String[] names = {"digests", "limits", "libraries", "journal", "start.lock", "claims"};
    Path file = jobs.pool().userFolder().resolve(names[random.nextInt(names.length)]);
    byte[] before = Files.exists(file) ? Files.readAllBytes(file) : null;
    byte[] content = before == null ? new byte[100] : before.clone();
    String how;
    switch (random.nextInt(3)) {
      case 0 -> {
        content = java.util.Arrays.copyOf(content, random.nextInt(content.length + 1));
        how = "cut off";
      }
      case 1 -> {
        random.nextBytes(content);
        how = "noise";
      }
      default -> {
        for (int i = 0; i < 20 && content.length > 0; i++) {
          content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
        }
        how = "flipped bits";
      }
    }
    Files.write(file, content);
    try {
      jobs.assertComplete(jobs.start(0));
      jobs.retireAll();
      jobs.assertComplete(jobs.start(0));
    } finally {
      if (before != null && file.endsWith("limits")) {
        Files.write(file, before);
      } else if (before == null) {
        Files.deleteIfExists(file);
      }
    }
    return new Fault.Injection(file.getFileName() + ", " + how, true, FaultJobs.COMPLETE);
  }

  private Fault.Injection lockHeld(Random random) throws Exception {
    jobs.retireAll();
    double seconds = 0.1 + random.nextInt(30) / 10.0;
    Path lock = jobs.pool().userFolder().resolve("start.lock");
    Process holder =
        new ProcessBuilder("flock", lock.toString(), "sleep", Double.toString(seconds)).start();
    try {
      Thread.sleep(50);
      jobs.assertComplete(jobs.start(0));
    } finally {
      holder.waitFor();
    }
    return new Fault.Injection(seconds + " s", true, FaultJobs.COMPLETE);
  }

  private Fault.Injection fewDescriptors(Random random) throws Exception {
    prepare(random.nextBoolean());
    int limit = 3 + random.nextInt(40);
    List<String> prefix = List.of("prlimit", "--nofile=" + limit + ":");
    Outcome stock = jobs.start(prefix, Home.COLD_JAVA, 0).run().await();
    Job job = jobs.start(prefix, Home.JAVA, 0);
    if (stock.status() == 7) {
      jobs.assertComplete(job);
    } else {
      assertEquals(stock.status(), job.run().await().status(), "as " + stock);
    }
    return new Fault.Injection("limit " + limit, true, "status " + stock.status());
  }

  private Fault.Injection fullDisk(Random random) throws Exception {
    Path disk = Files.createTempDirectory("hottub-disk");
    run("mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "hottub-test", disk.toString());
    int pages = random.nextInt(9);
    try {
      Path filler = disk.resolve("filler");
      boolean before = random.nextBoolean();
      if (before) {
        jobs.assertComplete(jobOn(disk));
      }
      fill(filler, pages);
      jobs.assertComplete(jobOn(disk));
      Files.delete(filler);
      long start = System.nanoTime();
      int lines = jobs.pool().servedBy().size();
      do {
        jobs.assertComplete(jobOn(disk));
        assertTrue(System.nanoTime() - start < SERVING.toNanos(), "it serves when there is room");
      } while (jobs.pool().servedBy().stream().skip(lines).allMatch(pid -> pid == 0));
      endPool(disk);
      return new Fault.Injection(
          pages + " pages left" + (before ? ", JVM idle" : ""), true, FaultJobs.COMPLETE);
    } finally {
      run("umount", "-l", disk.toString());
      Files.delete(disk);
    }
  }

  private Job jobOn(Path root) throws IOException {
    return jobs.start(List.of("env", "HOTTUB_DIR=" + root), Home.JAVA, 0);
  }

  private static void fill(Path file, int pagesLeft) throws IOException {
    try (var out =
        Files.newByteChannel(
            file,
            java.util.EnumSet.of(
                java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.WRITE))) {
      while (out.write(ByteBuffer.allocate(4096)) == 4096) {}
    } catch (IOException e) {
      // It is full.
    }
    try (var out = Files.newByteChannel(file, java.nio.file.StandardOpenOption.WRITE)) {
      out.truncate(Math.max(0, (Files.size(file) / 4096 - pagesLeft) * 4096));
    }
  }

  private static void endPool(Path root) throws Exception {
    for (KeeperSocket socket : PoolDirectory.at(root).sockets()) {
      var keeper = ProcessHandle.of(socket.keeperPid());
      try (KeeperConnection connection = KeeperConnection.open(socket, SERVING)) {
        connection.retire();
      } catch (IOException e) {
        // It has ended.
      }
      Await.until("the keeper has ended", () -> keeper.stream().noneMatch(ProcessHandle::isAlive));
    }
  }

  private static void run(String... command) throws Exception {
    assertEquals(
        0, new ProcessBuilder(command).inheritIO().start().waitFor(), String.join(" ", command));
  }

  private Fault.Injection changedJar(Random random) throws Exception {
    Path folder = Files.createTempDirectory(jobs.pool().work(), "jar");
    List<Path> versions = List.of(jar(folder, "one"), jar(folder, "two"));
    assertEquals(Files.size(versions.get(0)), Files.size(versions.get(1)));
    Path jar = folder.resolve("version.jar");
    boolean inPlace = random.nextBoolean();
    int changes = 2 + random.nextInt(2);
    for (int i = 0; i < changes; i++) {
      Path version = versions.get(i % 2);
      if (inPlace) {
        Files.write(jar, Files.readAllBytes(version));
      } else {
        Path draft = Files.copy(version, folder.resolve("draft"));
        Files.move(draft, jar, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      }
      Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000_000));
      for (int j = 0; j < 2; j++) {
        Run run =
            jobs.pool()
                .start(
                    jobs.pool()
                        .builder(
                            new ArrayList<>(
                                List.of(Home.JAVA.toString(), "-cp", jar.toString(), "Version"))));
        assertEquals(new Outcome(0, i % 2 == 0 ? "one\n" : "two\n", ""), run.await());
      }
    }
    jobs.retireAll();
    return new Fault.Injection(inPlace ? "in place" : "renamed", true, FaultJobs.COMPLETE);
  }

  private static Path jar(Path folder, String version) throws Exception {
    Path classes = Files.createDirectory(folder.resolve(version));
    Path source = classes.resolve("Version.java");
    Files.writeString(
        source,
        "public class Version { public static void main(String[] a) { System.out.println(\"%s\"); } }"
            .formatted(version));
    assertEquals(
        0,
        javax.tools.ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", source.toString()));
    Path jar = folder.resolve(version + ".jar");
    try (var out = new java.util.jar.JarOutputStream(Files.newOutputStream(jar))) {
      var entry = new java.util.zip.ZipEntry("Version.class");
      entry.setTime(1_000_000_000);
      out.setLevel(0);
      out.putNextEntry(entry);
      out.write(Files.readAllBytes(classes.resolve("Version.class")));
    }
    return jar;
  }

  private Fault.Injection future(Random random) throws Exception {
    jobs.onlyKeeper();
    FileTime time = FileTime.fromMillis(System.currentTimeMillis() + random.nextInt(1 << 30));
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(jobs.pool().userFolder())) {
      all.forEach(files::add);
    }
    for (Path file : files) {
      Files.setLastModifiedTime(file, time);
    }
    jobs.assertComplete(jobs.start(0));
    jobs.retireAll();
    jobs.assertComplete(jobs.start(0));
    return new Fault.Injection("", true, FaultJobs.COMPLETE);
  }

  private Fault.Injection burst(Random random) throws Exception {
    List<Job> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(jobs.start(50 + random.nextInt(100)));
    }
    Thread.sleep(random.nextInt(100));
    int victim = random.nextInt(all.size());
    boolean reached = signal("KILL", all.get(victim));
    String end = "";
    for (int i = 0; i < all.size(); i++) {
      if (i == victim) {
        end = jobs.end(all.get(i), SIGKILL);
      } else {
        jobs.assertComplete(all.get(i));
      }
    }
    return new Fault.Injection("", reached, end);
  }
}
