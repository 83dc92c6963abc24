// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Security;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Talks to a server of its own as a JVM does that is not told whom to trust. */
public class TrustedServer {
  public static void main(String[] args) throws Exception {
    char[] password = "changeit".toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(Path.of(args[0]))) {
      keys.load(in, password);
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, password);
    SSLContext ofServer = SSLContext.getInstance("TLS");
    ofServer.init(managers.getKeyManagers(), null, null);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (SSLServerSocket server =
        (SSLServerSocket) ofServer.getServerSocketFactory().createServerSocket(0, 1, loopback)) {
      Thread serving = new Thread(() -> serve(server));
      serving.setDaemon(true);
      serving.start();
      try (SSLSocket client =
          (SSLSocket) SSLSocketFactory.getDefault().createSocket(loopback, server.getLocalPort())) {
        client.setSoTimeout(30_000);
        System.out.println("read " + client.getInputStream().read());
      } catch (SSLException e) {
        System.out.println(e.getMessage());
      }
    }
    System.out.println("set to " + Security.getProperty("hottub.test"));
    System.out.println(
        "TLS versions: " + SSLContext.getDefault().getDefaultSSLParameters().getProtocols().length);
  }

  private static void serve(SSLServerSocket server) {
    try (SSLSocket socket = (SSLSocket) server.accept();
        OutputStream out = socket.getOutputStream()) {
      out.write(42);
    } catch (Exception e) {
      // The client does not trust it, and says so.
    }
  }
}
