// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code WaitingNatives FOLDER...}: native methods of the jars in folders that wait, by their
 * names.
 */
public final class WaitingNatives {
  private static final Pattern WAITS = Pattern.compile("^(?!get|set).*(?i:wait|(?<!e)poll|select)");

  private WaitingNatives() {}

  /** Names of native methods, from a class file as chapter 4 of the JVM's specification has it. */
  private static List<String> natives(DataInputStream file) throws IOException {
    file.skipNBytes(8);
    String[] texts = new String[file.readUnsignedShort()];
    for (int i = 1; i < texts.length; i++) {
      int tag = file.readUnsignedByte();
      switch (tag) {
        case 1 -> texts[i] = file.readUTF();
        case 5, 6 -> {
          file.skipNBytes(8);
          i++; // they take two places
        }
        case 7, 8, 16, 19, 20 -> file.skipNBytes(2);
        case 15 -> file.skipNBytes(3);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> file.skipNBytes(4);
        default -> throw new IOException("constant of tag " + tag);
      }
    }
    file.skipNBytes(6);
    file.skipNBytes(2L * file.readUnsignedShort());
    members(file, texts); // fields
    return members(file, texts);
  }

  private static List<String> members(DataInputStream file, String[] texts) throws IOException {
    Set<String> natives = new TreeSet<>();
    for (int count = file.readUnsignedShort(); count > 0; count--) {
      int access = file.readUnsignedShort();
      String name = texts[file.readUnsignedShort()];
      file.skipNBytes(2);
      for (int attributes = file.readUnsignedShort(); attributes > 0; attributes--) {
        file.skipNBytes(2);
        file.skipNBytes(Integer.toUnsignedLong(file.readInt()));
      }
      if (Modifier.isNative(access)) {
        natives.add(name);
      }
    }
    return List.copyOf(natives);
  }

  private static void search(JarFile jar, JarEntry entry, Set<String> found) {
    String holder = entry.getName().substring(0, entry.getName().length() - ".class".length());
    try (DataInputStream file =
        new DataInputStream(new BufferedInputStream(jar.getInputStream(entry)))) {
      for (String name : natives(file)) {
        if (WAITS.matcher(name).find()) {
          found.add(holder + "." + name);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(jar.getName() + ": " + holder, e);
    }
  }

  public static void main(String[] folders) throws IOException {
    Set<String> found = new TreeSet<>();
    Set<Path> known = new HashSet<>(); // most jars are in several folders
    for (String folder : folders) {
      try (Stream<Path> files = Files.list(Path.of(folder))) {
        for (Path path : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
          if (known.add(path.getFileName())) {
            try (JarFile jar = new JarFile(path.toFile())) {
              jar.stream()
                  .filter(entry -> entry.getName().endsWith(".class"))
                  .forEach(entry -> search(jar, entry, found));
            }
          }
        }
      }
    }
    found.forEach(System.out::println);
  }
}
