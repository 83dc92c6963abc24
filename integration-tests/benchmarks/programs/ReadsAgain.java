// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.OutputStream;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ToolRunner;

/**
 * Reads a file again and again in one process: what a read takes when nothing has to be warmed up
 * or reset. Prints the time of each in microseconds.
 *
 * <p>Arguments: client or shell, the file, how often.
 */
public final class ReadsAgain {
  private ReadsAgain() {}

  public static void main(String[] args) throws Exception {
    PrintStream results = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    for (int i = 0; i < Integer.parseInt(args[2]); i++) {
      long start = System.nanoTime();
      if (args[0].equals("client")) {
        Reads.read(new Path(args[1]));
      } else {
        FsShell shell = new FsShell();
        ToolRunner.run(new Configuration(), shell, new String[] {"-cat", args[1]});
        shell.close();
      }
      results.println((System.nanoTime() - start) / 1000);
    }
  }
}
