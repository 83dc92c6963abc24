// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.stream.Collectors;

/** What the VM remembers of its last minutes, and tells with the report of a crash. */
public class VmEvents extends Kind {
  private static final String OF_A_DIRTY_RUN = "of-a-dirty-run";

  private static int depth;

  private static String lines(String command, String of) throws Exception {
    return command(command)
        .lines()
        .filter(line -> line.matches(of))
        .collect(Collectors.joining("; "));
  }

  @SuppressWarnings("InfiniteRecursion") // it is to overflow the stack
  private static void recurse() {
    depth++;
    recurse();
  }

  @Override
  protected void dirty() throws Exception {
    System.gc();
    for (int i = 0; i < 3; i++) {
      try {
        recurse();
      } catch (StackOverflowError e) {
        KEPT.add(e);
      }
      try {
        KEPT.add(new long[4][Integer.MAX_VALUE >> 6]);
      } catch (OutOfMemoryError e) {
        KEPT.add(e);
      }
    }
    command("vmEvents"); // what it needs is there, then
    for (int i = 0; i < 20; i++) {
      try {
        Class.forName(OF_A_DIRTY_RUN + i, false, null); // the VM throws it
        throw new IllegalStateException("there is such a class");
      } catch (ClassNotFoundException e) {
        KEPT.add(e);
      }
    }
    if (!command("vmEvents").contains(OF_A_DIRTY_RUN)) {
      System.out.println("WRONG: the VM does not remember");
    }
    if (!lines("vmInfo", ".*(OutOfMemory|StackOverflow)Error.*").contains("=3")) {
      System.out.println("WRONG: the VM does not count");
    }
  }

  @Override
  protected void probe() {
    show("command", () -> lines("vmCommandLine", ".*"));
    show("command in reports", () -> lines("vmInfo", "Command Line:.*"));
    show("errors", () -> lines("vmInfo", ".*(OutOfMemory|StackOverflow)Error.*"));
    show("events", () -> command("vmEvents").contains(OF_A_DIRTY_RUN));
  }
}
