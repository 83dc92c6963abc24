// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.net.ProxySelector;
import java.net.URI;
import java.security.ProviderException;
import java.security.Security;

/** Loads libraries, or has native code open them, as its arguments say, one after the other. */
public class Pinned {
  static native int call();

  /** Prints what a function of the library returns, or 0 if that is not open. */
  static native void open(String name, int mode);

  static native void useCiphers();

  public static void main(String... arguments) throws InterruptedException {
    for (String argument : arguments) {
      String[] words = argument.split("=", 2);
      System.out.println("# " + words[0]);
      switch (words[0]) {
        case "load":
          System.load(words[1]);
          break;
        case "call":
          System.out.println(call());
          break;
        case "wait":
          System.out.println("waiting");
          Thread.sleep(60_000);
          break;
        case "ciphers":
          useCiphers();
          break;
        case "exit":
          System.exit(Integer.parseInt(words[1]));
          break;
        case "tokens":
          try {
            String settings = "--name=own\nlibrary=" + words[1] + "\n";
            Security.getProvider("SunPKCS11").configure(settings);
          } catch (ProviderException e) {
            System.out.println(e.getMessage());
          }
          break;
        case "proxies":
          System.setProperty("java.net.useSystemProxies", "true"); // libnet looks for GNOME's
          System.out.println(ProxySelector.getDefault().select(URI.create("http://localhost/")));
          break;
        default: // as in open:5=libx.so
          open(words[1], Integer.parseInt(words[0].split(":")[1]));
      }
    }
    System.out.println("main ends");
  }
}
