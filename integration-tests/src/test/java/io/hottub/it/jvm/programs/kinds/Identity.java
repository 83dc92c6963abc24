// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.time.Instant;

/** When the process was started, with what, and what it has used. */
public class Identity extends Kind {
  @Override
  protected void dirty() throws Exception {
    ManagementFactory.getRuntimeMXBean().getUptime();
    long end = System.nanoTime() + 2_100_000_000;
    while (System.nanoTime() < end) {}
  }

  private static boolean isFresh(long startedMs) {
    long age = System.currentTimeMillis() - startedMs;
    return age >= -20 && age < Long.getLong("fresh.ms"); // a clock tick of the kernel is 10 ms
  }

  /** At once: a process has its children from its first moment on. */
  private void children() throws Exception {
    ProcessHandle self = ProcessHandle.current();
    Process child = new ProcessBuilder("sh", "-c", "sleep 5 & echo; wait").start();
    child.getInputStream().read(); // its own one is there
    show("has children", () -> self.children().anyMatch(child.toHandle()::equals));
    show(
        "and their children",
        () ->
            self.descendants()
                .filter(p -> !p.equals(child.toHandle()))
                .anyMatch(p -> p.parent().get().equals(child.toHandle())));
    show("is their parent", () -> child.toHandle().parent().get().equals(self));
    child.descendants().forEach(ProcessHandle::destroy);
    child.waitFor();
  }

  @Override
  protected void probe() throws Exception {
    children();
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    show("started", () -> isFresh(runtime.getStartTime()));
    show("up", () -> runtime.getUptime() > 0 && runtime.getUptime() < Long.getLong("fresh.ms"));
    long before = runtime.getUptime();
    Thread.sleep(3);
    show("up longer", () -> runtime.getUptime() > before);
    show("arguments", runtime::getInputArguments);
    ProcessHandle self = ProcessHandle.current();
    ProcessHandle.Info info = self.info();
    show("process started", () -> isFresh(info.startInstant().get().toEpochMilli()));
    show("command", () -> info.command().get().replace("java-cold", "java"));
    show("its arguments", () -> String.join(" ", info.arguments().get()));
    show("line", () -> info.commandLine().get().replace("java-cold", "java"));
    show("user", info::user);
    show("used", () -> info.totalCpuDuration().get().toMillis() < Long.getLong("fresh.ms"));
    show("alive", self::isAlive);
    show("among all", () -> ProcessHandle.allProcesses().anyMatch(p -> p.equals(self)));
    show("found", () -> ProcessHandle.of(self.pid()).get().equals(self));
    var system =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    show(
        "used as the bean says",
        () -> system.getProcessCpuTime() < Long.getLong("fresh.ms") * 1_000_000);
    Process child = new ProcessBuilder("sleep", "5").start();
    ProcessHandle.Info other = child.toHandle().info();
    show(
        "child",
        () -> other.command().get() + " " + other.startInstant().get().isBefore(Instant.now()));
    child.destroy();
    child.waitFor();
  }
}
