// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of the distribution's package, with data of its own, on loopback alone. It
 * does not run as root: as the package's user, if root runs the test.
 */
@SuppressWarnings("try") // close waits for the process; an interrupt fails the test
public final class Postgres implements AutoCloseable {
  /** Its only user and the name of its database. */
  static final String NAME = "metastore";

  private static final String HOST = "127.0.0.1";
  private static final String NO_UNIX_SOCKET = "unix_socket_directories=";
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final String USER = "postgres";
  private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");
  private static final long STOP_SECONDS = 60;

  private final Path dir = Files.createTempDirectory("hottub-postgres");
  private final int port = Ports.free(1).get(0);
  private Process process;

  /** Installs the package where it is missing, and starts a server. */
  public Postgres() throws IOException, InterruptedException {
    assumeInstalled();
    boolean serves = false;
    try {
      start();
      serves = true;
    } finally {
      if (!serves) {
        close();
      }
    }
  }

  private void start() throws IOException, InterruptedException {
    if (IS_ROOT) {
      Files.setOwner(
          dir, dir.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
    }
    String data = dir.resolve("data").toString();
    run("initdb", "-D", data, "-U", NAME, "-A", "trust", "-E", "UTF8", "--no-locale");
    process = start("postgres", "-D", data, "-c", "listen_addresses=" + HOST, "-c", NO_UNIX_SOCKET);
    Await.until(
        "PostgreSQL answers",
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError(Files.readString(log("postgres")));
          }
          return start("pg_isready").waitFor() == 0;
        });
    run("createdb", NAME);
  }

  private static void assumeInstalled() throws IOException {
    if (newest().isEmpty()) {
      String said = Packages.install("packages-postgresql.txt");
      assumeTrue(newest().isPresent(), said);
    }
  }

  /** The folder of programs. */
  private static Optional<Path> newest() throws IOException {
    if (!Files.isDirectory(VERSIONS)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.comparingInt(bin -> Integer.parseInt(bin.getName(3).toString())));
    }
  }

  private Path log(String program) {
    return dir.resolve(program + ".log");
  }

  private Process start(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (IS_ROOT) {
      command.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--init-groups"));
    }
    command.add(newest().orElseThrow().resolve(program).toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
    // Server and clients take them from there.
    builder.environment().put("PGHOST", HOST);
    builder.environment().put("PGPORT", Integer.toString(port));
    builder.environment().put("PGUSER", NAME);
    return builder
        .redirectErrorStream(true)
        .redirectOutput(log(program).toFile())
        .redirectInput(Path.of("/dev/null").toFile())
        .start();
  }

  private String run(String program, String... arguments) throws IOException, InterruptedException {
    Process run = start(program, arguments);
    Await.until(program + " has ended", () -> !run.isAlive());
    String said = Files.readString(log(program));
    assertEquals(0, run.exitValue(), program + ": " + said);
    return said;
  }

  /** What a JDBC driver names. */
  String url() {
    return "jdbc:postgresql://" + HOST + ":" + port + "/" + NAME;
  }

  /** The values of a query of one column. */
  public List<String> query(String sql) throws IOException, InterruptedException {
    return run("psql", "-At", "-c", sql, NAME).lines().toList();
  }

  /** Ends it, and those who are connected. */
  @Override
  public void close() throws IOException, InterruptedException {
    if (process != null && process.isAlive()) {
      // On SIGTERM it would wait for them.
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError("no end within " + STOP_SECONDS + " s: " + process);
      }
    }
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
