// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/**
 * Collections of several kinds, between two marks; ends in the way that its argument names. "rest":
 * none of it, for half a second.
 */
public class Collects {
  static final List<byte[]> kept = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    System.out.println("MAIN");
    if (args.length > 0 && args[0].equals("rest")) {
      Thread.sleep(500);
      return;
    }
    for (int i = 0; i < 4000; i++) {
      byte[] bytes = new byte[50_000];
      if (i % 20 == 0) {
        kept.add(bytes);
      }
    }
    kept.add(new byte[3_000_000]);
    System.gc();
    System.out.println("END");
    switch (args.length == 0 ? "return" : args[0]) {
      case "exit" -> System.exit(3);
      case "halt" -> Runtime.getRuntime().halt(4);
      case "wait" -> Thread.sleep(1_000_000);
      default -> {}
    }
  }
}
