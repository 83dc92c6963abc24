// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.List;

/** What a program can know of its own process, of its parent and of its children. */
public class Own {
  public static void main(String[] args) throws Exception {
    ProcessHandle self = ProcessHandle.current();
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    System.out.println("pid " + self.pid());
    System.out.println("of the VM " + runtime.getPid());
    System.out.println("name " + runtime.getName().replaceAll("@.*", ""));
    System.out.println("parent " + self.parent().orElseThrow().pid());
    System.out.println("line " + self.info().commandLine().orElseThrow());
    while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < 200_000_000) {}
    long usedMs = self.info().totalCpuDuration().orElseThrow().toMillis();
    System.out.println("has used time " + (usedMs >= 150)); // the kernel counts in steps of 10 ms
    System.out.println("is found " + ProcessHandle.of(self.pid()).get().equals(self));
    System.out.println("is one of all " + ProcessHandle.allProcesses().anyMatch(self::equals));
    Process child = new ProcessBuilder("sh", "-c", "sleep 5 & echo; wait").start();
    child.getInputStream().read(); // its own one is there
    System.out.println("is a parent " + child.toHandle().parent().get().equals(self));
    System.out.println("has a child " + self.children().toList().equals(List.of(child.toHandle())));
    System.out.println("descendants " + self.descendants().count());
    child.descendants().forEach(ProcessHandle::destroy);
    child.waitFor();
    try {
      self.destroy();
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
  }
}
