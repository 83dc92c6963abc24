// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/** Prints what the class library makes of properties that it has copied. */
public class Copies {
  private static String load(String name) {
    try {
      System.loadLibrary(name);
      return name + " is loaded";
    } catch (UnsatisfiedLinkError e) {
      return e.getMessage();
    }
  }

  public static void main(String[] args) throws Exception {
    System.out.println(File.createTempFile("pre", "post").getParent());
    System.out.println(Files.createTempFile("pre", "post").getParent());
    System.out.println(Files.createTempDirectory("pre").getParent());
    System.out.println(System.getProperty("java.library.path"));
    System.out.println(load("natives"));
    System.out.println(load("none"));
    System.out.println(new File("x").getAbsolutePath() + " " + Path.of("x").toAbsolutePath());
    System.out.println(new File("marker").exists() + " " + Files.readString(Path.of("marker")));
  }
}
