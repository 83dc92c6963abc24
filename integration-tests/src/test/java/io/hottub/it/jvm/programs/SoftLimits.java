// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Prints its limits, and what a child sees of its priorities; then starts a command, which may
 * stay.
 */
public class SoftLimits {
  private static Process shell(String command) throws Exception {
    return new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
  }

  public static void main(String[] args) throws Exception {
    System.out.println(Files.readString(Path.of("/proc/self/limits")));
    Process child =
        shell(
            "nice; ulimit -S -c; cat /proc/$PPID/oom_score_adj /proc/$PPID/coredump_filter;"
                + " chrt -ap $PPID | cut -d: -f2 | sort -u; for t in /proc/$PPID/task/*; do"
                + " ionice -p ${t##*/}; done | sort -u; taskset -ap $PPID | cut -d: -f2 | sort -u;"
                // The first session of a machine has no group and an empty file.
                + " n=$(sed 's/.* //' /proc/$PPID/autogroup 2>/dev/null); echo ${n:-0}");
    System.out.println(new String(child.getInputStream().readAllBytes()));
    // The stock JVM of the tests is java-cold.
    System.out.println(Files.readString(Path.of("/proc/thread-self/comm")).replace("-cold", ""));
    Thread.currentThread().setName("renamed");
    Files.writeString(Path.of("/proc/self/comm"), "renamed");
    Process last = shell(args[0]);
    if (args[0].startsWith("exec")) {
      System.out.println("child " + last.pid());
    } else {
      System.out.println(new String(last.getInputStream().readAllBytes()) + last.waitFor());
    }
  }
}
