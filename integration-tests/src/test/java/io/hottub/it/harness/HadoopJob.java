// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The client of a job of MapReduce or Tez, which has been started. */
public final class HadoopJob implements JobClient {
  /** On a busy machine, too. */
  public static final Duration LONGEST = Duration.ofMinutes(4);

  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

  private final Process client;
  private final Path log;

  HadoopJob(Process client, Path log) {
    this.client = client;
    this.log = log;
  }

  @Override
  public String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public String id() throws IOException {
    Matcher matcher = APPLICATION.matcher(log());
    if (!matcher.find()) {
      throw new IOException("no application yet: " + log());
    }
    return matcher.group();
  }

  @Override
  public ProcessHandle process() {
    return client.toHandle();
  }

  @Override
  public void kill() {
    client.destroyForcibly();
  }

  @Override
  public int end() throws IOException, InterruptedException {
    if (!client.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      client.destroyForcibly().waitFor();
      throw new AssertionError("no end within " + LONGEST + ":\n" + log());
    }
    return client.exitValue();
  }
}
