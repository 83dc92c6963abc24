// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Prints what each variable of a library holds in another process, as a digest: arguments are its
 * pid, the end of the library's path, and what {@code nm -S} says of the library's variables.
 */
public class ReadVariables {
  public static void main(String[] args) throws Exception {
    Path process = Path.of("/proc", args[0]);
    long base =
        Files.readAllLines(process.resolve("maps")).stream()
            .filter(line -> line.endsWith(args[1]))
            .mapToLong(line -> Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16))
            .min()
            .orElseThrow(() -> new IllegalStateException(args[0] + " has no " + args[1]));
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (RandomAccessFile memory = new RandomAccessFile(process.resolve("mem").toFile(), "r")) {
      for (String line : Files.readAllLines(Path.of(args[2]))) {
        String[] words = line.split(" ", 4); // address, size, kind, name
        byte[] bytes = new byte[Integer.parseInt(words[1], 16)];
        memory.seek(base + Long.parseUnsignedLong(words[0], 16));
        memory.readFully(bytes);
        String held = HexFormat.of().formatHex(digest.digest(bytes), 0, 8);
        System.out.println(words[0] + "\t" + held + "\t" + words[3]);
      }
    }
  }
}
