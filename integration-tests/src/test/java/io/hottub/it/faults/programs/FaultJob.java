// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Adds its second argument to its first, a file; prints; works for so many ms; exits with 7. */
public class FaultJob {
  public static void main(String[] args) throws Exception {
    Files.writeString(
        Path.of(args[0]), args[1] + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    for (int i = 0; i < 200; i++) {
      System.out.println("line " + i);
    }
    Thread.sleep(Long.parseLong(args[2]));
    System.out.println("end");
    System.exit(7);
  }
}
