// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Follows the journal of a pool: the lines that clients and keepers append for each run, reset and
 * end of a JVM. They only do so while the file exists; this makes it, and puts it aside when it is
 * large. Not for use by two threads.
 */
public final class Journal implements Closeable {
  /** Clients stop writing at four times this. */
  private static final long FULL_BYTES = 1 << 20;

  /** So none of ours is larger, even if all write at once. */
  private static final long MAX_BYTES = 8 * FULL_BYTES;

  /** Of a line; ours have no more than some names in them. What is beyond it is not kept. */
  private static final int MAX_LINE_BYTES = 1 << 16;

  private final Path file;
  private final Path older;
  private Followed current;

  /** The file that was put aside; who had opened it before still writes to it. */
  private Followed previous;

  /**
   * @param pool its user folder has to exist
   */
  public Journal(PoolDirectory pool) {
    this.file = file(pool);
    this.older = older(pool);
  }

  private static Path file(PoolDirectory pool) {
    return pool.userFolder().resolve("journal");
  }

  private static Path older(PoolDirectory pool) {
    return pool.userFolder().resolve("journal.1");
  }

  /** An open file, and how far it was read. */
  private static final class Followed {
    final FileChannel channel;
    final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();

    Followed(Path file) throws IOException {
      // To open a pipe would wait for who writes to it.
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
          && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new ProtocolException(file + " is no regular file: remove it");
      }
      channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    boolean isTooLarge() throws IOException {
      return channel.size() > MAX_BYTES;
    }

    void readLines(List<String> lines) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
      while (channel.position() < MAX_BYTES && channel.read(buffer.clear()) > 0) {
        for (buffer.flip(); buffer.hasRemaining(); ) {
          byte next = buffer.get();
          if (next == '\n') {
            lines.add(unfinished.toString(StandardCharsets.UTF_8));
            unfinished.reset();
          } else if (unfinished.size() < MAX_LINE_BYTES) {
            unfinished.write(next);
          }
        }
      }
    }
  }

  /**
   * Returns the lines since the last call, oldest first. The first call returns none: what was
   * there before is history.
   *
   * @throws ProtocolException if the file was none of ours; it was removed unread, and the next
   *     call goes on with a new one
   */
  public List<String> poll() throws IOException {
    List<String> lines = new ArrayList<>();
    if (previous != null) {
      previous.readLines(lines);
      previous.channel.close();
      previous = null;
    }
    if (current == null) {
      create();
      current = new Followed(file);
      current.channel.position(current.channel.size());
    }
    if (current.isTooLarge() && current.channel.position() < MAX_BYTES) {
      removeUnread();
    }
    current.readLines(lines);
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      exchange();
    } else if (current.channel.size() >= FULL_BYTES) {
      Files.move(file, older, StandardCopyOption.REPLACE_EXISTING);
      exchange();
    }
    return lines;
  }

  private void removeUnread() throws IOException {
    long bytes = current.channel.size();
    current.channel.close();
    current = null;
    Files.deleteIfExists(file);
    throw new ProtocolException(
        file + " had " + bytes + " bytes, more than a journal can have: it was removed unread");
  }

  private void exchange() throws IOException {
    create();
    previous = current;
    current = new Followed(file);
  }

  private void create() throws IOException {
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      // Another one was faster, which is as well.
    }
  }

  /**
   * All lines that are kept, oldest first; empty where nobody keeps a journal.
   *
   * @throws ProtocolException if a file is none of ours
   */
  public static List<String> history(PoolDirectory pool) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path path : List.of(older(pool), file(pool))) {
      try {
        Followed whole = new Followed(path);
        try (whole.channel) {
          if (whole.isTooLarge()) {
            throw new ProtocolException(
                path + " is larger than a journal can be, and is not read: remove it");
          }
          whole.readLines(lines);
        }
      } catch (NoSuchFileException e) {
        // Nothing was put aside yet, or there is no journal.
      }
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    if (previous != null) {
      previous.channel.close();
    }
    if (current != null) {
      current.channel.close();
    }
  }
}
