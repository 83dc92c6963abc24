// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Changes files, those of its class path among them, and uses classes, as its arguments say. */
public class Changing {
  public static void main(String... arguments) throws Exception {
    for (String argument : arguments) {
      String[] words = argument.split("[=:]");
      switch (words[0]) {
        case "move": // a copy into its place
          Path copy = Path.of(words[2] + ".new");
          Files.copy(Path.of(words[1]), copy);
          Files.move(copy, Path.of(words[2]), StandardCopyOption.REPLACE_EXISTING);
          break;
        case "write":
          Files.write(Path.of(words[2]), Files.readAllBytes(Path.of(words[1])));
          break;
        case "delete":
          Files.delete(Path.of(words[1]));
          break;
        case "add":
          add(Path.of(words[1]).toUri().toURL());
          break;
        default:
          print(words[0]);
      }
    }
  }

  private static void add(URL jar) throws ReflectiveOperationException {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    Field path = loader.getClass().getSuperclass().getDeclaredField("ucp");
    path.setAccessible(true);
    Method add = path.getType().getDeclaredMethod("addURL", URL.class);
    add.setAccessible(true);
    add.invoke(path.get(loader), jar);
  }

  private static void print(String name) throws ReflectiveOperationException {
    try {
      System.out.println(name + ": " + Class.forName(name).getMethod("text").invoke(null));
    } catch (ClassNotFoundException e) {
      System.out.println(name + ": none");
    }
  }
}
