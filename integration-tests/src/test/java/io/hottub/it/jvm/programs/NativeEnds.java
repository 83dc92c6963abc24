// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Prepares what its native library does at the end, and ends: "returns", "exits" or "halts". */
public class NativeEnds {
  static native void prepare(String what);

  /** By native code, which must not get here any more. */
  static void called() {
    System.out.println("called");
  }

  public static void main(String... args) {
    System.load(args[0]);
    prepare(args[1]);
    System.out.println("main");
    switch (args[2]) {
      case "exits" -> System.exit(8);
      case "halts" -> Runtime.getRuntime().halt(8);
      default -> {}
    }
  }
}
