// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.security.MessageDigest;

/** Sets properties of which a JVM has made copies before main. */
public class LateProperties {
  public static void main(String[] args) throws Exception {
    System.setProperty("java.io.tmpdir", args[0]);
    System.setProperty("java.security.debug", "jca");
    System.out.println(Files.createTempDirectory("pre").getParent());
    System.out.println(MessageDigest.getInstance("SHA-256").getProvider());
  }
}
