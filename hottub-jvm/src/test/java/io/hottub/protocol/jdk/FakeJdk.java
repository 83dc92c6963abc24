// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A folder with what of a JDK is looked at. */
public final class FakeJdk {
  private FakeJdk() {}

  /** Makes one. */
  public static Path make(Path folder, String version) throws IOException {
    write(folder, "release", "JAVA_VERSION=\"" + version + "\"\n");
    write(folder, "bin/java", "");
    assertTrue(folder.resolve("bin/java").toFile().setExecutable(true));
    write(folder, "conf/net.properties", "of " + folder.getFileName());
    write(folder, "conf/security/java.security", "of all");
    write(folder, "lib/security/cacerts", "");
    write(folder, "lib/security/blocked.certs", "none");
    write(folder, "lib/tzdb.dat", "zones of " + folder.getFileName());
    write(folder, "lib/modules", "classes of " + folder.getFileName());
    return folder;
  }

  /** Makes one that is a HotTub home. */
  public static Path makeHome(Path folder, String version) throws IOException {
    make(folder, version);
    write(folder, "lib/hottub/build-id", "0");
    return folder;
  }

  public static void write(Path folder, String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** Lets it trust one more certificate, which is made for that. */
  public static void trustAnother(Path folder, String alias) throws Exception {
    Path store = folder.resolve("lib/security/cacerts");
    if (Files.size(store) == 0) {
      Files.delete(store);
    }
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString()));
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=" + alias));
    // Its certificates can be read without the password, as those of a JDK's own store.
    command.addAll(List.of("-storetype", "JKS", "-storepass", "changeit", "-keypass", "changeit"));
    command.addAll(List.of("-alias", alias, "-keystore", store.toString()));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, keytool.waitFor(), said);
  }
}
