// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import io.hottub.it.harness.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program whose methods become hot one after the other, so that C2 has much to do at its end. */
final class HotLoops {
  private HotLoops() {}

  /**
   * Compiles the class HotLoops: methods of so many loops, each of which C2 makes vectors of.
   *
   * @param end Java statements that follow
   */
  static void compile(Path classes, int methods, int loops, String end) throws IOException {
    StringBuilder text = new StringBuilder("class HotLoops {\n");
    StringBuilder calls = new StringBuilder("byte[] a = new byte[256], b = a.clone();\n");
    for (int i = 0; i < methods; i++) {
      String loop = "for (int i = 0; i < a.length; i++) a[i] += b[i] * " + i + ";\n";
      text.append("static void f" + i + "(byte[] a, byte[] b) {\n" + loop.repeat(loops) + "}\n");
      calls.append("for (int n = 0; n < 400; n++) f" + i + "(a, b);\n");
    }
    text.append("public static void main(String[] args) throws Throwable {\n");
    text.append(calls).append(end).append("}\n}\n");
    Path source = Files.writeString(classes.resolve("HotLoops.java"), text);
    Programs.compileSource(classes, source);
  }
}
