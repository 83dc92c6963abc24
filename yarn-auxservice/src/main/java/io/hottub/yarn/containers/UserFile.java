// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.protocol.SmallFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads a settings file of a user within bounds of memory and time, whatever the user has put in
 * its place. Whatever goes wrong is an {@link IOException}.
 */
final class UserFile {
  /** Real files are below 1 MiB; this bounds what a hostile one costs the NodeManager. */
  static final int MAX_BYTES = 16 << 20;

  /** A local file of that size takes milliseconds. The launch of a container waits for it. */
  private static final Duration WAIT = Duration.ofSeconds(3);

  /** Bounds the memory, and the threads that never come back. */
  private static final Semaphore READERS = new Semaphore(8);

  private UserFile() {}

  /** Makes of a file's content what is wanted of it. */
  interface Parser<T> {
    T parse(byte[] content) throws Exception;
  }

  /**
   * @throws AccessDeniedException if the NodeManager may not read it
   */
  static <T> T read(Path file, Parser<T> parser) throws IOException {
    return read(file, parser, WAIT);
  }

  /**
   * The file may be exchanged between the look at it and its opening, which blocks for a pipe. Java
   * can neither open without that nor look at what it has opened, nor wake who waits there. So a
   * thread of its own does it, which the caller gives up after a while.
   */
  static <T> T read(Path file, Parser<T> parser, Duration wait) throws IOException {
    FutureTask<T> task =
        new FutureTask<>(
            () -> parser.parse(SmallFile.read(file, MAX_BYTES, LinkOption.NOFOLLOW_LINKS)));
    try {
      if (!READERS.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("too many files are being read for " + file + " to be read, too");
      }
      start(task);
      return task.get(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AccessDeniedException denied) {
        throw denied;
      }
      // Also what a parser throws that has no memory or no stack left.
      throw new IOException("cannot read " + file, e.getCause());
    } catch (TimeoutException e) {
      task.cancel(true);
      throw new IOException(file + " could not be read within " + wait, e);
    } catch (InterruptedException e) {
      task.cancel(true);
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("while reading " + file).initCause(e);
    }
  }

  private static void start(Runnable task) throws IOException {
    Runnable reader =
        () -> {
          try {
            task.run();
          } finally {
            READERS.release();
          }
        };
    Thread thread = new Thread(reader, "hottub-settings");
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError e) { // the kernel gives no thread
      READERS.release();
      throw new IOException(e);
    }
  }
}
