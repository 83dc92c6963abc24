// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command line of {@code hottub adopt}. */
public final class AdoptCommand {
  private static final int OK = 0;
  private static final int USAGE = 100;
  private static final int FAILED = 111;

  private AdoptCommand() {}

  /**
   * Runs it.
   *
   * @param home HotTub home
   * @return exit status
   */
  public static int run(
      List<String> operands,
      Path home,
      Map<String, String> environment,
      MachineJdk machine,
      PrintStream out,
      PrintStream err) {
    try {
      if (operands.equals(List.of("--undo"))) {
        int links = new Adoption(home).undo();
        out.println(home + " has its own certificates and settings; links that are gone: " + links);
        return OK;
      }
      if (operands.size() > 1 || operands.stream().anyMatch(word -> word.startsWith("-"))) {
        err.println("usage: hottub adopt [JDK | --undo]");
        return USAGE;
      }
      Optional<Jdk> jdk =
          operands.isEmpty()
              ? machine.find(environment)
              : Optional.of(new Jdk(Path.of(operands.get(0)).toAbsolutePath()));
      if (jdk.isEmpty()) {
        err.println(
            "hottub: no other JDK 17 is found on this machine; name one: hottub adopt /path/to/jdk");
        return FAILED;
      }
      int files = new Adoption(home).adopt(jdk.get());
      out.println(
          "%s has the certificates and settings of %s (%s) from now on; linked files: %d"
              .formatted(home, jdk.get().folder(), jdk.get().version(), files));
      return OK;
    } catch (AccessDeniedException e) {
      err.println("hottub: " + e.getFile() + " cannot be changed by this user; call it as root");
      return FAILED;
    } catch (IOException e) {
      err.println("hottub: " + e.getMessage());
      return FAILED;
    }
  }
}
