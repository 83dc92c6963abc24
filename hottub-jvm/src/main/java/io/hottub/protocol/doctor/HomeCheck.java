// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import io.hottub.protocol.jdk.Adoption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/** Whether the HotTub home is whole, of one build, and only for root to change. */
final class HomeCheck implements Check {
  private static final String ANEW = "install HotTub anew in a new folder, from one package";

  private final Path home;
  private final HomeFiles files;

  HomeCheck(Path home) {
    this.home = home;
    this.files = new HomeFiles(home);
  }

  @Override
  public String name() {
    return "home";
  }

  @Override
  public String right() {
    return "The HotTub home is whole, nobody but its owner may change it, its files are those of one"
        + " build (build-id), and its patched libjvm.so is of the version of its JDK";
  }

  @Override
  public Finding look() throws IOException {
    for (Path file : files.needed()) {
      if (!Files.exists(file)) {
        return Finding.failed("there is no " + file, ANEW);
      }
      if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE)) {
        return Finding.failed("everybody may change " + file, "chmod -R go-w " + home);
      }
    }
    Optional<Path> broken = new Adoption(home).broken();
    if (broken.isPresent()) {
      return Finding.failed(
          "%s leads to %s, which has gone: programs fail without it"
              .formatted(broken.get(), Files.readSymbolicLink(broken.get())),
          "as root: hottub adopt, which takes the files of another JDK of this machine, or hottub"
              + " adopt --undo");
    }
    if (!files.buildIdOfFiles().equals(files.buildId())) {
      return Finding.failed(
          "the files of " + home + " are not those of its build-id: damaged, or of two builds",
          ANEW);
    }
    Optional<String> jdk = files.jdk();
    if (jdk.isEmpty() || !files.isOfJdk(jdk.get())) {
      return Finding.failed(
          "%s is not of JDK %s, which %s is"
              .formatted(files.libjvm(), jdk.orElse("(unknown)"), home),
          ANEW);
    }
    return Finding.ok(home + " is whole, and its libjvm.so of its JDK " + jdk.get());
  }
}
