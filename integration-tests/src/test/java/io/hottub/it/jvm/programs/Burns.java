// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;

/** Uses as many milliseconds of processor time as its argument says. */
public class Burns {
  public static void main(String[] args) {
    long wanted = Long.parseLong(args[0]) * 1_000_000;
    var threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    long sum = 0;
    while (threads.getCurrentThreadCpuTime() - begin < wanted) {
      sum += System.nanoTime() % 3;
    }
    System.out.println(sum >= 0 ? "burnt" : "");
  }
}
