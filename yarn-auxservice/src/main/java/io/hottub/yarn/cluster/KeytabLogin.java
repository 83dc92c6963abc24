// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.security.auth.login.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.authentication.util.JaasConfiguration;

/**
 * Who a process on a cluster with Kerberos is for ZooKeeper, unless its JVM has a JAAS
 * configuration that says so.
 *
 * @param principal as Hadoop has it, with _HOST for the name of this host
 * @param keytab a file with its keys
 */
public record KeytabLogin(String principal, String keytab) {
  /** Not a name that others use, because there is one JAAS configuration for the process. */
  private static final String SECTION = "HotTub";

  /** Empty on a cluster without Kerberos. */
  static Optional<KeytabLogin> read(
      org.apache.hadoop.conf.Configuration conf, String principalKey, String keytabKey) {
    String principal = conf.getTrimmed(principalKey, "");
    String keytab = conf.getTrimmed(keytabKey, "");
    return principal.isEmpty() || keytab.isEmpty()
        ? Optional.empty()
        : Optional.of(new KeytabLogin(principal, keytab));
  }

  /** Whether the JAAS configuration of this process has a section of this name. */
  static boolean hasSection(String name) {
    return Configuration.getConfiguration().getAppConfigurationEntry(name) != null;
  }

  /**
   * Returns the name of a section of JAAS by which this process can log in.
   *
   * @throws IOException if this process may not read the keytab, or the principal is none
   */
  String section() throws IOException {
    if (!Files.isReadable(Path.of(keytab))) {
      throw new IOException("the keytab " + keytab + " is not here, or not for this user");
    }
    if (!hasSection(SECTION)) {
      // Everybody else's sections stay.
      Configuration.setConfiguration(
          new JaasConfiguration(SECTION, SecurityUtil.getServerPrincipal(principal, ""), keytab));
    }
    return SECTION;
  }
}
