// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Opens files until there is no descriptor left, and ends as its argument says. */
public class UsesDescriptors {
  private static final List<FileInputStream> OPEN = new ArrayList<>();

  public static void main(String[] args) {
    System.out.println(lastError());
    switch (args[0]) {
      case "exit" -> System.exit(3);
      case "throw" -> throw new IllegalStateException();
      case "daemon" -> {
        Thread greedy =
            new Thread(
                () -> {
                  while (true) {
                    lastError();
                  }
                });
        greedy.setDaemon(true);
        greedy.start();
      }
      default -> {}
    }
  }

  private static String lastError() {
    while (true) {
      try {
        OPEN.add(new FileInputStream("/dev/null"));
      } catch (IOException e) {
        return e.getMessage();
      }
    }
  }
}
