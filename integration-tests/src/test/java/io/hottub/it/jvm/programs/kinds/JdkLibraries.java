// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Arrays;
import javax.smartcardio.TerminalFactory;
import org.ietf.jgss.GSSManager;

/** What native libraries of the JDK decide when they are loaded, or remember from call to call. */
public class JdkLibraries extends Kind {
  /** As libnet does it once: it asks for the property when it is loaded. */
  private static String anyAddress() throws Exception {
    try (ServerSocketChannel channel = ServerSocketChannel.open().bind(null)) {
      return ((InetSocketAddress) channel.getLocalAddress()).getAddress().toString();
    }
  }

  private static OperatingSystemMXBean system() {
    return (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  }

  /** Since the call before; at the first one, since then, in which no more than two ticks pass. */
  private static boolean isFirst(double load) {
    return load == 0 || load == 0.5 || load == 1;
  }

  private static String readers() {
    try {
      return TerminalFactory.getInstance("PC/SC", null).terminals().list().toString();
    } catch (Exception e) {
      return e + ", " + e.getCause(); // there is no reader, or not even a library for them
    }
  }

  private static String mechanisms() {
    System.setProperty("sun.security.jgss.native", "true");
    return Arrays.toString(GSSManager.getInstance().getMechs());
  }

  @Override
  protected void dirty() throws Exception {
    System.setProperty("java.net.preferIPv4Stack", "true");
    if (!anyAddress().equals("/0.0.0.0")) {
      System.out.println("WRONG: " + anyAddress());
    }
    readers();
    mechanisms();
    system().getCpuLoad();
    system().getProcessCpuLoad();
    for (long end = System.nanoTime() + 300_000_000; System.nanoTime() < end; ) {
      Thread.onSpinWait();
    }
  }

  @Override
  protected void probe() throws Exception {
    show("load of the process", () -> isFirst(system().getProcessCpuLoad()));
    show("load of the machine", () -> isFirst(system().getCpuLoad()));
    show("address", JdkLibraries::anyAddress);
    show("readers of cards", JdkLibraries::readers);
    show("mechanisms", JdkLibraries::mechanisms);
  }
}
