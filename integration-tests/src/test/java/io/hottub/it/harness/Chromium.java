// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Pictures of web pages for the documentation, where the distribution's Chromium is installed. */
public final class Chromium {
  private static final Path PROGRAM = Path.of("/usr/bin/chromium");

  /** {@code deploy/book/pictures} takes them from there. */
  private static final Path PICTURES = Path.of("target", "pictures");

  private Chromium() {}

  /**
   * Makes a picture of a page as a browser shows it.
   *
   * @param name of the file, without its type
   * @param size of the window, width and height
   */
  public static void picture(String url, String name, String size)
      throws IOException, InterruptedException {
    if (!Files.isExecutable(PROGRAM)) {
      System.out.println("no picture " + name + ": the package chromium is not installed");
      return;
    }
    Path file = Files.createDirectories(PICTURES).resolve(name + ".png").toAbsolutePath();
    Files.deleteIfExists(file);
    Process process =
        new ProcessBuilder(
                Pool.command(
                    PROGRAM,
                    List.of(
                        "--headless",
                        "--no-sandbox", // as root there is none
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--user-data-dir=" + file.resolveSibling("profile"),
                        "--window-size=" + size,
                        "--screenshot=" + file,
                        url)))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertTrue(Files.exists(file), said);
  }
}
