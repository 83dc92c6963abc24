// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.Locale;

/** Makes hundreds of methods of the class library hot, then waits to be killed, or not. */
public class Formats {
  public static void main(String[] args) throws Exception {
    int length = 0;
    for (int i = 0; i < 20_000; i++) {
      length +=
          String.format(Locale.ROOT, "%05d %x %.3f %s", i, i, i / 3.0, "x".repeat(i % 7)).length();
    }
    if (length > 0 && args.length == 0) {
      System.out.println("waiting");
      Thread.sleep(1_000_000);
    }
  }
}
