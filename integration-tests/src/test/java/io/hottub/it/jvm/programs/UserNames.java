// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;

/** Who the user is, by all that the class library knows. */
public class UserNames {
  public static void main(String[] args) throws Exception {
    show();
    System.setProperties(null);
    show();
    System.out.println("owner: " + Files.getOwner(Path.of("/proc/self")));
    System.out.println("end");
  }

  private static void show() {
    for (String name : new String[] {"user.name", "user.home"}) {
      System.out.println(name + ": " + System.getProperty(name));
    }
  }
}
