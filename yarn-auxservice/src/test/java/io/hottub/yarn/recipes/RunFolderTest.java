// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
  @TempDir Path parent;

  @Test
  void whereSomebodyStillWritesItIsRemovedAllTheSame() throws Exception {
    Path folder = RunFolder.create();
    Path work = Files.createDirectory(folder.resolve("work"));
    Thread writer = new Thread(() -> write(work));
    writer.start();
    while (!Files.exists(work.resolve("file100"))) {
      Thread.sleep(1);
    }
    RunFolder.remove(folder);
    writer.join();
    assertFalse(Files.exists(folder));
  }

  /** As fast as it can, for a second or until its folder is gone. */
  private static void write(Path work) {
    long end = System.nanoTime() + 1_000_000_000L;
    for (int i = 0; System.nanoTime() - end < 0; i++) {
      try {
        Files.createFile(work.resolve("file" + i));
      } catch (IOException e) {
        return;
      }
    }
  }

  private Path folder(long pid, Instant used) throws IOException {
    Path folder = Files.createDirectory(parent.resolve("hottub-recipe-" + pid + "-17"));
    Files.createFile(folder.resolve("trace"));
    Files.setLastModifiedTime(folder, FileTime.from(used));
    return folder;
  }

  @Test
  void whatTheDeadHaveLeftIsRemoved() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Path left = folder(dead.pid(), Instant.now());
    Path ofFormer = folder(ProcessHandle.current().pid(), Instant.EPOCH);
    Path ours = folder(ProcessHandle.current().parent().orElseThrow().pid(), Instant.now());
    Path other = Files.createDirectory(parent.resolve("hottub-recipe-mine"));
    Path link =
        Files.createSymbolicLink(parent.resolve("hottub-recipe-" + dead.pid() + "-18"), other);
    RunFolder.removeLeftBehind(parent);
    assertFalse(Files.exists(left));
    assertFalse(Files.exists(ofFormer), "its pid is another one's now");
    assertTrue(Files.exists(ours));
    assertTrue(Files.exists(other));
    assertTrue(Files.isSymbolicLink(link));
  }
}
