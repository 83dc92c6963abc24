// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of classes that a run looks for in vain, as scripts do: a loader has a lock for each. */
public class ClassNames extends Kind {
  /** So that the constants of this class have no part of it. */
  private static String name() {
    return String.join(".", "of", "a", "dirty", "run");
  }

  /** Puts the name together only when the heap is in the file. */
  private static boolean isInHeap(String end) throws IOException {
    Path file = Files.createTempDirectory("heap").resolve("dump.hprof");
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpHeap(file.toString(), true);
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
          .contains(name() + end);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(file.getParent());
    }
  }

  @Override
  protected void dirty() throws Exception {
    for (ClassLoader loader = getClass().getClassLoader();
        loader != null;
        loader = loader.getParent()) {
      try {
        loader.loadClass(name() + ".ByLoader");
        throw new IllegalStateException("there is such a class");
      } catch (ClassNotFoundException e) {
        KEPT.add(e);
      }
    }
    try {
      Class.forName(name() + ".ByName");
      throw new IllegalStateException("there is such a class");
    } catch (ClassNotFoundException e) {
      KEPT.add(e);
    }
    if (!isInHeap(".ByL") || !isInHeap(".ByN")) {
      System.out.println("WRONG: it is not looked for");
    }
  }

  @Override
  protected void probe() {
    show("names", () -> isInHeap(".By"));
  }
}
