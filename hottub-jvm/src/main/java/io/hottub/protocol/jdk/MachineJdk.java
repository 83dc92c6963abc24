// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the JDK that runs of this machine had without HotTub: that of the NodeManager, else that of
 * {@code JAVA_HOME}, else the newest one where distributions have theirs.
 */
public final class MachineJdk {
  /** Where Debian and its like, and the packages of other makers, put JDKs. */
  public static final Path FOLDER = Path.of("/usr/lib/jvm");

  private static final Path PROC = Path.of("/proc");

  private final Path proc;
  private final Path folder;

  public MachineJdk() {
    this(PROC, FOLDER);
  }

  /**
   * @param proc as {@code /proc} (proc(5))
   * @param folder as {@link #FOLDER}
   */
  public MachineJdk(Path proc, Path folder) {
    this.proc = proc;
    this.folder = folder;
  }

  /**
   * Finds it.
   *
   * @param environment of the caller's runs
   * @return a JDK 17 that is no HotTub home; none if the machine has none
   * @throws IOException if processes or the folder of JDKs cannot be looked at
   */
  public Optional<Jdk> find(Map<String, String> environment) throws IOException {
    List<Path> candidates = new ArrayList<>();
    for (NodeManagers.Running running : NodeManagers.find(proc)) {
      program(running).map(java -> java.resolve("../..").normalize()).ifPresent(candidates::add);
    }
    Optional.ofNullable(environment.get("JAVA_HOME"))
        .filter(home -> home.startsWith("/"))
        .map(Path::of)
        .ifPresent(candidates::add);
    for (Path candidate : candidates) {
      Jdk jdk = new Jdk(lastingName(candidate));
      if (jdk.unfit().isEmpty()) {
        return Optional.of(jdk);
      }
    }
    return newest();
  }

  private Optional<Path> program(NodeManagers.Running running) {
    try {
      return Optional.of(Files.readSymbolicLink(proc.resolve(running.pid()).resolve("exe")));
    } catch (IOException e) {
      return Optional.empty(); // It has ended, or is another user's.
    }
  }

  private List<Path> installed() throws IOException {
    List<Path> all = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries =
          Files.newDirectoryStream(folder, "*" + Jdk.RELEASE + "*")) {
        entries.forEach(all::add);
      }
    }
    return all;
  }

  /** The shortest of its names: longer ones have the number of an update, and go with that. */
  private Path lastingName(Path jdk) throws IOException {
    List<Path> names = new ArrayList<>();
    for (Path name : installed()) {
      if (Files.exists(name) && Files.exists(jdk) && Files.isSameFile(name, jdk)) {
        names.add(name);
      }
    }
    return names.stream()
        .min(
            Comparator.comparing((Path name) -> name.toString().length())
                .thenComparing(name -> name))
        .orElse(jdk);
  }

  private Optional<Jdk> newest() throws IOException {
    Jdk newest = null;
    for (Path candidate : installed()) {
      Jdk jdk = new Jdk(candidate);
      if (jdk.unfit().isEmpty()
          && (newest == null || jdk.version().compareTo(newest.version()) > 0)) {
        newest = jdk;
      }
    }
    return newest == null ? Optional.empty() : Optional.of(new Jdk(lastingName(newest.folder())));
  }
}
