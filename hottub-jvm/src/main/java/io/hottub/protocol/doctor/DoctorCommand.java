// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

/** The command line of {@code hottub doctor}. */
public final class DoctorCommand {
  private static final int OK = 0;
  private static final int USAGE = 100;
  private static final int FAILED = 111;

  private DoctorCommand() {}

  /**
   * Runs it.
   *
   * @param checks for a machine that is a node whether a NodeManager runs or not, or for any other
   * @return exit status
   */
  public static int run(
      List<String> options,
      Function<Boolean, List<Check>> checks,
      PrintStream out,
      PrintStream err) {
    if (!List.of("--node", "--json").containsAll(options)) {
      err.println("usage: hottub doctor [--node] [--json]");
      return USAGE;
    }
    Doctor doctor = new Doctor(checks.apply(options.contains("--node")));
    if (options.contains("--json")) {
      out.println(doctor.json());
    } else {
      doctor.print(out);
    }
    return doctor.isWell() ? OK : FAILED;
  }
}
