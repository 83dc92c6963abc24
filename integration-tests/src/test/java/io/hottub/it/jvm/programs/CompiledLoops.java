// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/** Says whether C2 has compiled every method of hot loops that there is. */
public class CompiledLoops {
  static void show(int methods) throws Exception {
    String list =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "compilerCodelist",
                    null,
                    null);
    long compiled =
        list.lines()
            .filter(line -> line.matches("\\d+ 4 .* HotLoops\\.f.*"))
            .map(line -> line.split(" ")[3])
            .distinct()
            .count();
    System.out.println(compiled < methods ? "some wait" : "none waits");
  }
}
