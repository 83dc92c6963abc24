// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Asks its own management agent, as the users that its arguments name, each with a password. */
public class Managed {
  public static void main(String[] args) throws Exception {
    TreeSet<String> threads = new TreeSet<>();
    Thread.getAllStackTraces().keySet().forEach(t -> threads.add(t.getName()));
    System.out.println("threads: " + threads.toString().replaceAll("\\d+", "N"));
    System.out.println(ManagementFactory.getPlatformMBeanServer().getMBeanCount() + " beans");
    System.out.println(
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("ManagementServer"));
    String port = System.getProperty("com.sun.management.jmxremote.port");
    if (args.length == 0 && port != null) {
      ask(port, Map.of());
    }
    for (int i = 0; i + 1 < args.length; i += 2) {
      ask(port, Map.of(JMXConnector.CREDENTIALS, new String[] {args[i], args[i + 1]}));
    }
    counters();
  }

  @SuppressWarnings("BanJNDI") // its own agent, on loopback
  private static void ask(String port, Map<String, ?> environment) throws Exception {
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
    try (JMXConnector connector = JMXConnectorFactory.connect(url, environment)) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName runtime = new ObjectName("java.lang:type=Runtime");
      System.out.println(
          Arrays.toString((String[]) server.getAttribute(runtime, "InputArguments")));
      server.invoke(new ObjectName("java.lang:type=Memory"), "gc", null, null);
      System.out.println("collected");
    } catch (IOException | SecurityException e) {
      System.out.println(e);
    }
  }

  /** By which tools find the agent, under the pid that the caller knows. */
  private static void counters() throws IOException {
    String jcmd = System.getProperty("java.home") + "/bin/jcmd";
    Process tool = new ProcessBuilder(jcmd, System.getenv("PROCESS"), "PerfCounter.print").start();
    new String(tool.getInputStream().readAllBytes())
        .lines()
        .filter(line -> line.contains("JMXConnectorServer"))
        .map(line -> line.replaceAll("/stub/.*", "/stub"))
        .forEach(System.out::println);
  }
}
