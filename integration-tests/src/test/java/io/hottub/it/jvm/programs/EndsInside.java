// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Proxy;
import java.util.Properties;

/** With "end" as an argument it exits in the initialiser of a class, else it uses that class. */
public class EndsInside {
  private static boolean ends;

  private static void endIfAsked() {
    System.out.println("in the initialiser");
    if (ends) {
      System.exit(3);
    }
  }

  static class Own {
    static int value;

    static {
      endIfAsked();
      value = 5;
    }

    static int get() {
      return value;
    }
  }

  /** The initialiser of ProxyGenerator asks for a property. */
  private static class Asked extends Properties {
    private static final long serialVersionUID = 1;

    @Override
    public String getProperty(String name) {
      if (name.startsWith("jdk.proxy.ProxyGenerator") && ends) {
        endIfAsked();
      }
      return super.getProperty(name);
    }
  }

  private static void use(boolean own) {
    if (own) {
      System.out.println(Own.get());
      return;
    }
    Properties asked = new Asked();
    asked.putAll(System.getProperties());
    System.setProperties(asked);
    Class<?>[] types = {Runnable.class};
    System.out.println(
        Proxy.newProxyInstance(types[0].getClassLoader(), types, (p, m, a) -> m.getName()));
  }

  public static void main(String[] args) throws Exception {
    String all = String.join(" ", args);
    ends = all.endsWith("end");
    boolean own = all.startsWith("own");
    if (all.contains("thread")) {
      Thread thread = new Thread(() -> use(own));
      thread.start();
      thread.join();
    } else {
      use(own);
    }
  }
}
