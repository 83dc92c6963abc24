// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.Collections;

/** Where it, what its arguments name, and classes beside it come from. */
public class Places {
  static class Beside {}

  private static void show(Class<?> type) {
    System.out.println(type.getName() + " " + type.getProtectionDomain().getCodeSource());
  }

  public static void main(String[] args) throws Exception {
    show(Places.class);
    show(Beside.class);
    System.out.println(
        Places.class.getProtectionDomain() == Beside.class.getProtectionDomain() ? "one" : "two");
    System.out.println(Places.class.getPackage() + " " + Small.class.getPackage().isSealed());
    show(Small.class);
    for (String name : args) {
      for (URL url : Collections.list(ClassLoader.getSystemResources(name))) {
        try (InputStream in = url.openStream()) {
          System.out.println(url + " has " + in.readAllBytes().length);
        }
        if (url.openConnection() instanceof JarURLConnection connection) {
          System.out.println(connection.getJarFile().getName());
        }
      }
    }
  }
}
