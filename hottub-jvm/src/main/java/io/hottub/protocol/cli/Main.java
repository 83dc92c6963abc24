// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.Release;
import io.hottub.protocol.doctor.DoctorCommand;
import io.hottub.protocol.doctor.Machine;
import io.hottub.protocol.doctor.NodeCheck;
import io.hottub.protocol.jdk.AdoptCommand;
import io.hottub.protocol.jdk.MachineJdk;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Entry point of the {@code hottub} command: shows and manages the caller's own pool. */
public final class Main {
  private static final int OK = 0;
  private static final int USAGE = 100;
  private static final int FAILED = 111;

  private static final String HELP =
      """
      usage: hottub ps                    show the pooled JVMs of this user
             hottub top                   the same, every 2 s until it is interrupted
             hottub stats --json          the same and totals, for programs
             hottub why NAME...           how runs were served, and why not by the pool; NAME is a
                                          container, or the pid of a client, a JVM or a keeper
             hottub drain [FP...]         run cold from now on: all, or these fingerprints; their
                                          JVMs end as with retire
             hottub undrain [FP...]       take that back
             hottub audit PID...          audit idle JVMs now and print what was found
             hottub retire PID... | --all end JVMs: at once when idle, after the lease when leased
             hottub revoke PID...         end leases by force; their clients report SIGKILL
             hottub recipe PID CLASS [ARGUMENT...]
                                          the recipe for JVMs like that of a running client or
                                          stock JVM, trained by CLASS; Spark's are trained by
                                          io.hottub.spark.Trainer
             hottub doctor [--node] [--json]
                                          what is wrong on this machine, and what to do; --node:
                                          as on a node also where no NodeManager runs
             hottub adopt [JDK | --undo]  as root: let the HotTub home trust whom a JDK of this
                                          machine trusts, and be set as that is; without a
                                          name that of the NodeManager, of JAVA_HOME, or the
                                          newest JDK 17; --undo: as it was built
             hottub cluster ...           all nodes; `hottub cluster help` tells more
             hottub version               of HotTub and its JVM
      FP is a fingerprint, or its beginning as ps shows it. PID is the process id of a pooled JVM or
      of its keeper. The pool is found as `java` finds it; HOTTUB_DIR names another one.
      Exit status: 0, 100 (usage), 111 (something failed, see stderr).
      """;

  /** The HotTub home that the command runs on. */
  private static final Path HOME = Path.of(System.getProperty("java.home"));

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args), System.getenv(), System.out, System.err));
  }

  static int run(
      List<String> args, Map<String, String> environment, PrintStream out, PrintStream err) {
    if (args.isEmpty()) {
      err.print(HELP);
      return USAGE;
    }
    switch (args.get(0)) {
      case "help", "--help", "-h" -> {
        out.print(HELP);
        return OK;
      }
      case "version", "--version" -> {
        out.println(Release.text());
        return OK;
      }
      case "adopt" -> {
        return AdoptCommand.run(
            args.subList(1, args.size()), HOME, environment, new MachineJdk(), out, err);
      }
      case "doctor" -> {
        Machine machine = new Machine(HOME.getParent(), HOME, environment);
        return DoctorCommand.run(
            args.subList(1, args.size()),
            node -> machine.checks(new NodeCheck(Path.of("/proc"), node, false), List.of()),
            out,
            err);
      }
      default -> {}
    }
    try {
      PoolDirectory pool = PoolDirectory.resolve(environment);
      Commands commands = new Commands(pool, out, err);
      List<String> operands = args.subList(1, args.size());
      return switch (args.get(0)) {
        case "ps" -> operands.isEmpty() ? exit(commands.ps()) : usage(err);
        case "stats" -> operands.equals(List.of("--json")) ? exit(commands.stats()) : usage(err);
        case "top" -> operands.isEmpty() ? exit(commands.top()) : usage(err);
        case "why" ->
            operands.isEmpty() ? usage(err) : exit(new Why(pool, out, err).tell(operands));
        case "drain" -> exit(commands.drain(operands));
        case "undrain" -> exit(commands.undrain(operands));
        case "audit" -> operands.isEmpty() ? usage(err) : exit(commands.audit(operands));
        case "retire" -> operands.isEmpty() ? usage(err) : exit(commands.retire(operands));
        case "revoke" -> operands.isEmpty() ? usage(err) : exit(commands.revoke(operands));
        case "recipe" -> {
          if (operands.size() < 2) {
            yield usage(err);
          }
          RecipeFor recipe = RecipeFor.process(operands.get(0));
          out.print(recipe.text(operands.get(1), operands.subList(2, operands.size())));
          yield OK;
        }
        default -> {
          String unknown = PoolTable.line(args.get(0));
          err.println("hottub: there is no subcommand " + unknown + "; hottub help lists all");
          yield USAGE;
        }
      };
    } catch (IOException e) {
      err.println("hottub: " + e.getMessage());
      return FAILED;
    }
  }

  private static int usage(PrintStream err) {
    err.print(HELP);
    return USAGE;
  }

  private static int exit(boolean allWell) {
    return allWell ? OK : FAILED;
  }
}
