// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A run of a campaign: nothing of the environment of the tests decides what it does. */
final class PlainRun {
  private PlainRun() {}

  /** Reads nothing, writes to {@code out} and {@code err}, and is traced in {@code trace}. */
  static ProcessBuilder of(
      List<String> command, Path folder, Path pool, Path trace, Path out, Path err) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                "/usr/bin:/bin",
                "LANG",
                "C.UTF-8",
                "HOTTUB_DIR",
                pool.toString(),
                "HOTTUB_TRACE",
                trace.toString()));
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectOutput(out.toFile())
        .redirectError(err.toFile());
  }
}
