// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import io.hottub.protocol.ProtocolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Lets a HotTub home trust and be set as a JDK of its machine: puts links to that JDK's files in
 * the place of those it was built with. What changes there, changes for the home. Each file is
 * replaced at once, so runs may start at any time; what the home had is kept beside the link.
 */
public final class Adoption {
  private static final String SHIPPED = ".shipped";
  private static final String NEW = ".new";

  /** Bits of a mode (inode(7)). */
  private static final int OTHERS_READ = 0004;

  private static final int OTHERS_WRITE = 0002;
  private static final int OTHERS_EXECUTE = 0001;

  private static final int STICKY = 01000;

  private final Path home;

  /**
   * @param home HotTub home, which the caller may write to
   */
  public Adoption(Path home) {
    this.home = home.toAbsolutePath().normalize();
  }

  /**
   * Puts the links in place; those of another JDK are replaced.
   *
   * @return how many files of the home are those of that JDK now
   * @throws IOException if the JDK is none that a home can be as, if not everybody can read it who
   *     can read the home, if everybody may change it, or if the home cannot be written to; the
   *     message names the file
   */
  public int adopt(Jdk jdk) throws IOException {
    requireHome();
    Optional<String> unfit = jdk.unfit();
    if (unfit.isPresent()) {
      throw new ProtocolException(unfit.get());
    }
    Path folder = jdk.folder().toAbsolutePath().normalize();
    List<Path> files = MachineSettings.of(folder).stream().filter(this::isOwn).toList();
    boolean isForAll = isForAll(home.resolve("bin/java"));
    for (Path file : files) {
      if (isForAll && !isForAll(folder.resolve(file))) {
        throw new ProtocolException(
            "not everybody may read " + folder.resolve(file) + "; runs of others would fail");
      }
      Optional<Path> open = open(folder.resolve(file).toRealPath());
      if (open.isPresent()) {
        throw new ProtocolException(
            "everybody may change " + open.get() + ", and so whom a run trusts: chmod o-w");
      }
    }
    for (Path file : files) {
      link(home.resolve(file), folder.resolve(file));
    }
    return files.size();
  }

  /**
   * Puts back what the home was built with.
   *
   * @return how many links there were
   */
  public int undo() throws IOException {
    requireHome();
    int links = 0;
    for (Path link : links()) {
      Path shipped = beside(link, SHIPPED);
      if (Files.exists(shipped)) {
        Files.move(shipped, link, StandardCopyOption.ATOMIC_MOVE);
      } else {
        Files.delete(link);
      }
      links++;
    }
    return links;
  }

  /** A link that leads nowhere any more: its JDK has gone, or some of it. */
  public Optional<Path> broken() throws IOException {
    return links().stream().filter(link -> !Files.exists(link)).findFirst();
  }

  private void requireHome() throws ProtocolException {
    if (!new Jdk(home).isHotTub()) {
      throw new ProtocolException(home + " is no HotTub home");
    }
  }

  /** Settings that a package keeps in another folder, for operators to change, stay theirs. */
  private boolean isOwn(Path file) {
    return !file.startsWith(MachineSettings.SETTINGS)
        || !Files.isSymbolicLink(home.resolve(MachineSettings.SETTINGS));
  }

  /** A home is built without links of its own in these places. */
  private List<Path> links() throws IOException {
    List<Path> places = new ArrayList<>();
    MachineSettings.OTHERS.forEach(file -> places.add(home.resolve(file)));
    Path settings = home.resolve(MachineSettings.SETTINGS);
    if (isOwn(MachineSettings.SETTINGS) && Files.isDirectory(settings)) {
      try (Stream<Path> files = Files.walk(settings)) {
        files.forEach(places::add);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    return places.stream().filter(Files::isSymbolicLink).sorted().toList();
  }

  private static void link(Path file, Path target) throws IOException {
    Files.createDirectories(file.getParent());
    if (!Files.isSymbolicLink(file) && Files.exists(file)) {
      Path kept = beside(file, NEW);
      Files.deleteIfExists(kept);
      Files.createLink(kept, file);
      Files.move(kept, beside(file, SHIPPED), StandardCopyOption.ATOMIC_MOVE);
    }
    Path link = beside(file, NEW);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, target);
    Files.move(link, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Path beside(Path file, String end) {
    return file.resolveSibling(file.getFileName() + end);
  }

  private static boolean isForAll(Path file) throws IOException {
    Path real;
    try {
      real = file.toRealPath();
    } catch (NoSuchFileException e) {
      return false;
    }
    if (!has(real, OTHERS_READ)) {
      return false;
    }
    for (Path folder = real.getParent(); folder != null; folder = folder.getParent()) {
      if (!has(folder, OTHERS_EXECUTE)) {
        return false;
      }
    }
    return true;
  }

  /** The file, or the folder on the way to it, that everybody may write to. */
  private static Optional<Path> open(Path real) throws IOException {
    for (Path part = real; part != null; part = part.getParent()) {
      boolean isSticky = !part.equals(real) && has(part, STICKY);
      if (has(part, OTHERS_WRITE) && !isSticky) {
        return Optional.of(part);
      }
    }
    return Optional.empty();
  }

  private static boolean has(Path file, int bit) throws IOException {
    return ((Integer) Files.getAttribute(file, "unix:mode") & bit) != 0;
  }
}
