// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/** All options of the VM, of which compilers change some while a program runs. */
public class VmOptions extends Kind {
  private static final int PASSES = 20_000;

  /** An address, which is drawn by lot for each process; by what a pooled JVM is known. */
  private static final Pattern NOT_COMPARED =
      Pattern.compile(".* (SharedBaseAddress|UseHotTub) .*");

  /** C2 unrolls such a loop more often than others, where vectors are wide. */
  private static void add(byte[] to, byte[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  private static String all() throws Exception {
    return command("vmFlags", "-all");
  }

  private static String valueOf(String option) throws Exception {
    String line = all().lines().filter(l -> l.contains(" " + option + " ")).findAny().get();
    return line.replaceAll(".*= *", "").replaceAll(" .*", "");
  }

  @Override
  protected void dirty() throws Exception {
    Path directives = Path.of("options");
    Files.writeString(directives, "[{match: \"no/Such.method\", c2: {PrintAssembly: true}}]");
    command("compilerDirectivesAdd", directives.toString());
    if (!valueOf("DebugNonSafepoints").equals("true")) {
      System.out.println("WRONG: the directive changes no option");
    }
    byte[] some = new byte[4096];
    Arrays.fill(some, (byte) 3);
    byte[] sum = new byte[some.length];
    for (int pass = 0; pass < PASSES; pass++) {
      add(sum, some);
    }
    KEPT.add(sum);
  }

  @Override
  protected void probe() throws Exception {
    for (String line : all().split("\n")) {
      if (!NOT_COMPARED.matcher(line).matches()) {
        show("option", () -> line);
      }
    }
  }
}
