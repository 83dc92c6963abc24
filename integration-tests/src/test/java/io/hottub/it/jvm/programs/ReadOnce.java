// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.util.stream.Stream;

/** Properties that the JDK reads once, when somebody first needs to know. */
public class ReadOnce {
  interface First {}

  interface Second {}

  private static boolean isSaved(Class<?> kind) {
    Class<?> made =
        Proxy.newProxyInstance(
                ReadOnce.class.getClassLoader(), new Class<?>[] {kind}, (proxy, method, args) -> 0)
            .getClass();
    File file = new File(made.getName().replace('.', '/') + ".class");
    return file.delete();
  }

  /** Arguments: set to set them, then the interface to make a proxy of. */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("set")) {
      System.setProperty("stackwalk.debug", "true");
      System.setProperty("jdk.proxy.debug", "debug");
      System.setProperty("jdk.proxy.ProxyGenerator.saveGeneratedFiles", "true");
      System.setProperty("java.home", "/nowhere");
    }
    System.out.println("proxy saved: " + isSaved(Class.forName("ReadOnce$" + args[1])));
    System.out.println("frames: " + StackWalker.getInstance().walk(Stream::count));
    String image;
    try {
      image = "" + Files.exists(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules"));
    } catch (Exception | Error e) {
      image = e.toString();
    }
    System.out.println("image: " + image);
  }
}
