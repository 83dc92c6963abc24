// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Gives its own JVM diagnostic commands, as jcmd does: each argument is one, with its arguments.
 */
public class Commands {
  public static void main(String[] args) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("com.sun.management:type=DiagnosticCommand");
    String[] signature = {String[].class.getName()};
    for (String command : args) {
      String[] words = command.split(" ", 2);
      String[] rest = words.length == 1 ? new String[0] : words[1].split(" ", -1);
      System.out.println(server.invoke(name, words[0], new Object[] {rest}, signature));
    }
  }
}
