// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

/**
 * Makes a key store of trusted certificates out of a PEM bundle, or an empty one: keytool would
 * need one JVM for each of some 140 certificates. Usage: java MakeCacerts.java KEYSTORE [BUNDLE]
 */
final class MakeCacerts {
  private static final char[] PASSWORD = "changeit".toCharArray(); // the JDK's documented default

  private MakeCacerts() {}

  public static void main(String[] args) throws Exception {
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, PASSWORD);
    if (args.length > 1) {
      try (InputStream in = Files.newInputStream(Path.of(args[1]))) {
        int n = 0;
        for (Certificate c : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
          store.setCertificateEntry("ca-" + n++, c);
        }
      }
    }
    try (OutputStream out = Files.newOutputStream(Path.of(args[0]))) {
      store.store(out, PASSWORD);
    }
  }
}
