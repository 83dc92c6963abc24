// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.net.URL;
import java.util.Enumeration;

/** Prints where a resource is found, everywhere and first, and which entry gives a class. */
public class Resources {
  public static void main(String[] args) throws Exception {
    ClassLoader loader = Resources.class.getClassLoader();
    for (String name : args) {
      URL first = loader.getResource(name);
      System.out.println(name + " first: " + first);
      if (first != null) {
        try (InputStream in = first.openStream()) {
          System.out.println("  content: " + new String(in.readAllBytes()));
        }
      }
      for (Enumeration<URL> all = loader.getResources(name); all.hasMoreElements(); ) {
        System.out.println("  " + all.nextElement());
      }
    }
    System.out.println(Class.forName("Small").getProtectionDomain().getCodeSource().getLocation());
  }
}
