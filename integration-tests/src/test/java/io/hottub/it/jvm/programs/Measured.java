// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.management.ObjectName;

/**
 * {@code Measured PORT NUMBER}: has a bean of its own with a number, and prints what an exporter at
 * the port tells of it, and the names of all its metrics that no collection of garbage adds.
 */
public final class Measured {
  private Measured() {}

  /** What the exporter finds. */
  public interface NumberMXBean {
    int getNumber();
  }

  /** A bean with a number. */
  private record Bean(int number) implements NumberMXBean {
    @Override
    public int getNumber() {
      return number;
    }
  }

  public static void main(String[] args) throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(
            new Bean(Integer.parseInt(args[1])), new ObjectName("of.the.run:type=Measured"));
    try (InputStream page =
        URI.create("http://127.0.0.1:" + args[0] + "/metrics").toURL().openStream()) {
      new String(page.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(
              line -> !line.matches(".*(LastGcInfo|allocated_bytes|_created|CollectionUsage).*"))
          .map(
              line ->
                  line.startsWith("of_the_run") ? line : line.replaceAll(" [-+.0-9EINaf]+$", ""))
          .sorted()
          .forEach(System.out::println);
    }
  }
}
