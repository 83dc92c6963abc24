// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes its first file, waits for its second (at most 5 minutes), and exits with status 7. */
public class WaitsForFile {
  public static void main(String[] args) throws Exception {
    Files.createFile(Path.of(args[0]));
    for (int i = 0; i < 3_000 && !Files.exists(Path.of(args[1])); i++) {
      Thread.sleep(100);
    }
    System.exit(7);
  }
}
