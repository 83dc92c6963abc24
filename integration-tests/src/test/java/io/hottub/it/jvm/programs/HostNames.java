// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.util.Arrays;
import java.util.concurrent.Callable;

/** What of IP version 6 a JVM has. */
public class HostNames {
  public static void main(String[] args) {
    show("localhost", () -> Arrays.toString(InetAddress.getAllByName("localhost")));
    show("ip6-localhost", () -> InetAddress.getByName("ip6-localhost").toString());
    show(
        "interface",
        () ->
            NetworkInterface.getByName("lo")
                .inetAddresses()
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .toList()
                .toString());
    show(
        "server",
        () -> {
          try (ServerSocket server = new ServerSocket(0);
              Socket client = new Socket("127.0.0.1", server.getLocalPort())) {
            return server.getInetAddress() + " and " + client.getInetAddress();
          }
        });
    show(
        "channel of version 6",
        () -> {
          try (ServerSocketChannel channel =
              ServerSocketChannel.open(StandardProtocolFamily.INET6)) {
            channel.bind(new InetSocketAddress("::1", 0));
            return "is bound";
          }
        });
    System.out.println("end");
  }

  private static void show(String what, Callable<String> value) {
    String shown;
    try {
      shown = value.call();
    } catch (Exception e) {
      shown = e.toString();
    }
    System.out.println(what + ": " + shown);
  }
}
