// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether Hadoop's commands on this machine run on HotTub. */
final class HadoopProfileCheck implements Check {
  private final SourcedScript profile;
  private final Environment environment;

  HadoopProfileCheck(Path install, Map<String, String> environment) {
    this.profile = new SourcedScript(install.resolve("conf/hadoop-profile-hottub.sh"));
    this.environment = new Environment(environment);
  }

  @Override
  public String name() {
    return "hadoop-profile";
  }

  @Override
  public String right() {
    return "Where there is Hadoop (HADOOP_CONF_DIR, HADOOP_HOME, or hdfs on the PATH), a file of its"
        + " shellprofile.d, or ~/.hadooprc, has the line for this installation, so that its commands"
        + " are pooled";
  }

  @Override
  public Finding look() throws IOException {
    Optional<Path> conf = conf();
    if (conf.isEmpty()) {
      return Finding.notApplicable(
          "no Hadoop: no HADOOP_CONF_DIR, no HADOOP_HOME, no hdfs on the PATH");
    }
    Path file = file(conf.get().resolve("shellprofile.d"));
    return profile.look(
        file, "Hadoop's commands are cold", "write to %s: %s".formatted(file, profile.line()));
  }

  /** The one with the line; where none has it, the one to write. */
  private Path file(Path folder) throws IOException {
    List<Path> files = files(folder);
    for (Path file : files) {
      if (profile.isNamedIn(file)) {
        return file;
      }
    }
    return files.get(0);
  }

  /** What Hadoop's shell reads, that of the guide first. */
  private List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>(List.of(folder.resolve("hottub.sh")));
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> profiles = Files.newDirectoryStream(folder, "*.sh")) {
        profiles.forEach(files::add);
      }
    }
    environment.path("HOME").ifPresent(home -> files.add(home.resolve(".hadooprc")));
    return files;
  }

  /** The folder of settings that Hadoop's commands would take. */
  private Optional<Path> conf() throws IOException {
    Optional<Path> configured = environment.path("HADOOP_CONF_DIR");
    return configured.isPresent()
        ? configured
        : environment.home("HADOOP_HOME", "hdfs").map(home -> home.resolve("etc/hadoop"));
  }
}
