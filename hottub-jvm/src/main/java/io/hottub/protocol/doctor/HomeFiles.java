// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import io.hottub.protocol.SmallFile;
import io.hottub.protocol.jdk.Jdk;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What of a HotTub home is ours. */
final class HomeFiles {
  private static final int CHUNK = 1 << 20;

  private final Path home;
  private final Path ours;

  HomeFiles(Path home) {
    this.home = home;
    this.ours = home.resolve("lib/hottub");
  }

  Path libjvm() {
    return ours.resolve("libjvm.so");
  }

  /** The programs and libraries that a home cannot do without. */
  List<Path> needed() {
    return List.of(
        home.resolve("bin/java"),
        home.resolve("bin/java-cold"),
        ours.resolve("keeper"),
        ours.resolve("pooled-java"),
        libjvm(),
        ours.resolve("runtime"),
        ours.resolve("build-id"));
  }

  /** What the build has written down of its files. */
  String buildId() throws IOException {
    return SmallFile.read(ours.resolve("build-id")).strip();
  }

  /** The same of the files that are there; {@code hottub-jvm/build/assemble-home} has the rule. */
  String buildIdOfFiles() throws IOException {
    MessageDigest all = sha256();
    add(all, digest(libjvm()));
    add(all, digest(home.resolve("bin/java")) + "  java");
    for (String program : List.of("keeper", "pooled-java")) {
      add(all, digest(ours.resolve(program)) + "  " + program);
    }
    Path runtime = ours.resolve("runtime");
    try (Stream<Path> files = Files.walk(runtime)) {
      List<String> names =
          files
              .filter(Files::isRegularFile)
              .map(file -> runtime.relativize(file).toString())
              .sorted()
              .toList();
      for (String name : names) {
        add(all, digest(runtime.resolve(name)) + "  ./" + name);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return HexFormat.of().formatHex(all.digest());
  }

  private static void add(MessageDigest all, String line) {
    all.update((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static String digest(Path file) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] chunk = new byte[CHUNK];
      for (int n = in.read(chunk); n > 0; n = in.read(chunk)) {
        digest.update(chunk, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  /** The version of the distribution's JDK; none if the file that tells it is damaged. */
  Optional<String> jdk() throws IOException {
    return new Jdk(home).says("JAVA_RUNTIME_VERSION");
  }

  /** Whether our libjvm.so calls itself that version. */
  boolean isOfJdk(String version) throws IOException {
    String before = "";
    try (InputStream in = Files.newInputStream(libjvm())) {
      for (byte[] chunk = in.readNBytes(CHUNK); chunk.length > 0; chunk = in.readNBytes(CHUNK)) {
        String text = before + new String(chunk, StandardCharsets.ISO_8859_1);
        if (text.contains(version + "\0")) {
          return true;
        }
        before = text.substring(Math.max(0, text.length() - version.length() - 1));
      }
    }
    return false;
  }
}
