// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DefaultCodec;

/**
 * Reads files named {@code *.wait}, which are not compressed: each task that opens one first makes
 * a file {@code at-PID} in the folder that the job's setting {@code test.folder} names, and waits
 * there for the file {@code go}.
 */
public final class WaitingCodec extends DefaultCodec {
  @Override
  public String getDefaultExtension() {
    return ".wait";
  }

  @Override
  public CompressionInputStream createInputStream(InputStream in, Decompressor unused)
      throws IOException {
    Path folder = Path.of(getConf().get("test.folder"));
    try {
      // The process itself: what Java calls the process is the run's business.
      Files.createFile(folder.resolve("at-" + Path.of("/proc/self").toRealPath().getFileName()));
    } catch (FileAlreadyExistsException e) {
      // It had another file before.
    }
    try {
      while (!Files.exists(folder.resolve("go"))) {
        Thread.sleep(20);
      }
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("while it waits").initCause(e);
    }
    return new Unchanged(in);
  }

  private static final class Unchanged extends CompressionInputStream {
    Unchanged(InputStream in) throws IOException {
      super(in);
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return in.read(bytes, offset, length);
    }

    @Override
    public void resetState() {}
  }
}
