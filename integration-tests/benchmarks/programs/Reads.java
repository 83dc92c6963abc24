// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Opens a file of the default file system, reads it and closes it; prints what it has read. */
public final class Reads {
  private Reads() {}

  public static void main(String[] args) throws Exception {
    System.out.println(read(new Path(args[0])));
  }

  static String read(Path file) throws Exception {
    byte[] buffer = new byte[1 << 16];
    long bytes = 0;
    int mixed = 0;
    try (FileSystem files = FileSystem.newInstance(new Configuration());
        FSDataInputStream in = files.open(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        bytes += count;
        mixed = mixed * 31 + buffer[0] + buffer[count / 2];
      }
    }
    return bytes + " bytes" + (mixed == 0 ? "" : ", not all zero");
  }
}
