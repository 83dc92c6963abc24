// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;

/** Prints where the descriptors above 2 lead to, up to a number, and what a resource contains. */
public class Inherited {
  public static void main(String[] args) throws Exception {
    try (var in = Inherited.class.getResourceAsStream("/" + args[1])) {
      System.out.println(new String(in.readAllBytes()));
    }
    for (int number = 3; number <= Integer.parseInt(args[0]); number++) {
      System.out.println(Files.readSymbolicLink(Path.of("/proc/self/fd/" + number)));
    }
  }
}
