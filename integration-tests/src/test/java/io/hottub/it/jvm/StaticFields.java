// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The static fields of classes of a JDK, from their class files. */
final class StaticFields {
  private static final int UTF8 = 1;
  private static final int CLASS = 7;

  /** What it is by its declaration alone. */
  enum Kind {
    /** Its value is in the class file. */
    CONSTANT,
    /** A number or text that the initialiser computes, maybe from a property. */
    COMPUTED,
    /** Leads to the same object for ever, which may change. */
    FINAL,
    /** May lead to another object, or be another number. */
    VARIABLE
  }

  /** A static field: binary name of its class with slashes, a dot, its name. */
  record Field(String name, String type, Kind kind) {}

  private StaticFields() {}

  /** Of all classes of this JDK whose names a rule wants, sorted. */
  static List<Field> of(Path jdk, Predicate<String> wanted) throws IOException {
    List<Field> fields = new ArrayList<>();
    try (FileSystem image =
            FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", jdk.toString()));
        Stream<Path> files = Files.walk(image.getPath("/modules"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        String name = file.subpath(2, file.getNameCount()).toString().replace(".class", "");
        if (wanted.test(name)) {
          try (InputStream in = Files.newInputStream(file)) {
            read(new DataInputStream(in), name, fields);
          }
        }
      }
    }
    fields.sort((a, b) -> a.name().compareTo(b.name()));
    return fields;
  }

  private static void read(DataInputStream in, String name, List<Field> fields) throws IOException {
    in.skipNBytes(8);
    String[] texts = readPool(in);
    in.skipNBytes(6);
    in.skipNBytes(2L * in.readUnsignedShort());
    int count = in.readUnsignedShort();
    for (int i = 0; i < count; i++) {
      int access = in.readUnsignedShort();
      String field = texts[in.readUnsignedShort()];
      String type = texts[in.readUnsignedShort()];
      boolean hasValue = false;
      int attributes = in.readUnsignedShort();
      for (int j = 0; j < attributes; j++) {
        hasValue |= texts[in.readUnsignedShort()].equals("ConstantValue");
        in.skipNBytes(Integer.toUnsignedLong(in.readInt()));
      }
      if (Modifier.isStatic(access)) {
        fields.add(new Field(name + "." + field, type, kind(access, type, hasValue)));
      }
    }
  }

  private static Kind kind(int access, String type, boolean hasValue) {
    if (!Modifier.isFinal(access)) {
      return Kind.VARIABLE;
    }
    if (hasValue) {
      return Kind.CONSTANT;
    }
    boolean isValue = type.length() == 1 || type.equals("Ljava/lang/String;");
    return isValue ? Kind.COMPUTED : Kind.FINAL;
  }

  /** Its texts by their numbers. */
  private static String[] readPool(DataInputStream in) throws IOException {
    int size = in.readUnsignedShort();
    String[] texts = new String[size];
    for (int i = 1; i < size; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case UTF8 -> texts[i] = in.readUTF();
        case CLASS, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++; // these take two places
        }
        default -> in.skipNBytes(4);
      }
    }
    return texts;
  }
}
