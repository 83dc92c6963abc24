// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32;

/** Reads the resources r0, r1, ... of its class path, and prints a checksum of all. */
public class ReadsAll {
  public static void main(String[] args) throws Exception {
    CRC32 sum = new CRC32();
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      try (InputStream in = ReadsAll.class.getResourceAsStream("r" + i)) {
        byte[] bytes = in.readAllBytes();
        byte[] expected = new byte[bytes.length];
        Arrays.fill(expected, (byte) i);
        if (!Arrays.equals(bytes, expected)) {
          System.out.println("WRONG: r" + i);
        }
        sum.update(bytes);
      }
    }
    System.out.println(sum.getValue());
  }
}
