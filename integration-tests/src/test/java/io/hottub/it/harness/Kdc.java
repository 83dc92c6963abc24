// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real KDC in a process of its own, on loopback, and one keytab with all whom it knows. */
public final class Kdc {
  public static final String REALM = "@EXAMPLE.COM";
  private static final String MAIN = "org.apache.hadoop.minikdc.MiniKdc";
  private static final List<String> DAEMONS = List.of("resourcemanager", "nodemanager");

  private final Path dir;
  private final Path keytab;
  private final Daemon daemon;

  /**
   * Starts it, and makes the daemons of a cluster that are started after it use it.
   *
   * @param dir its own
   * @param principals whom it knows beside those daemons
   */
  public Kdc(Path dir, YarnNode node, List<String> principals)
      throws IOException, InterruptedException {
    this.dir = Files.createDirectory(dir);
    keytab = dir.resolve("keytab");
    List<String> arguments = new ArrayList<>(List.of(dir.toString()));
    arguments.add(Files.writeString(dir.resolve("properties"), "transport=TCP\n").toString());
    arguments.add(keytab.toString());
    DAEMONS.forEach(name -> arguments.add(name + "/localhost"));
    arguments.addAll(principals);
    Path jar =
        Path.of(System.getProperty("hottub.test.libraries"), "kdc", "hadoop-minikdc-3.4.3.jar");
    daemon = Daemon.startWith(jar, node.dir(), List.of(), MAIN, arguments);
    Await.until(
        "the KDC knows everybody",
        () -> Files.readString(node.dir().resolve("MiniKdc.log")).contains("Do <CTRL-C>"));
    node.jvmOption(jvmOption());
    node.set("hadoop.security.authentication", "kerberos");
    for (String name : DAEMONS) {
      node.set("yarn." + name + ".principal", name + "/localhost" + REALM);
      node.set("yarn." + name + ".keytab", keytab.toString());
    }
  }

  public Path keytab() {
    return keytab;
  }

  /** What every JVM needs that is to find it. */
  public String jvmOption() {
    return "-Djava.security.krb5.conf=" + dir.resolve("krb5.conf");
  }

  /** A section of a JAAS configuration, to log in by a keytab. */
  public static String jaas(String section, String principal, Path keytab) {
    return """
    %s {
      com.sun.security.auth.module.Krb5LoginModule required
      useKeyTab=true storeKey=true keyTab="%s" principal="%s";
    };
    """
        .formatted(section, keytab, principal + REALM);
  }

  public void close() throws InterruptedException {
    daemon.close();
  }
}
