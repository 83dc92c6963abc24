// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeytabLoginTest {
  @TempDir private Path work;
  private final Configuration before = Configuration.getConfiguration();

  @BeforeEach
  void somebodyElsesConfiguration() {
    Configuration.setConfiguration(
        new Configuration() {
          @Override
          public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            return name.equals("Others") ? new AppConfigurationEntry[0] : null;
          }
        });
  }

  @AfterEach
  void putBack() {
    Configuration.setConfiguration(before);
  }

  @Test
  void aSectionBesideThoseOfOthers() throws Exception {
    Path keytab = Files.createFile(work.resolve("keytab"));
    KeytabLogin login = new KeytabLogin("nm/_HOST@EXAMPLE.COM", keytab.toString());
    String section = login.section();
    Configuration made = Configuration.getConfiguration();
    Map<String, ?> options = made.getAppConfigurationEntry(section)[0].getOptions();
    String host = InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
    assertEquals("nm/" + host + "@EXAMPLE.COM", options.get("principal"));
    assertEquals(keytab.toString(), options.get("keyTab"));
    assertTrue(KeytabLogin.hasSection("Others"));
    assertFalse(KeytabLogin.hasSection("Client"));
    assertEquals(section, login.section());
    assertEquals(made, Configuration.getConfiguration(), "not one around the other");
  }

  @Test
  void aKeytabThatIsNotHere() {
    KeytabLogin login = new KeytabLogin("nm", work.resolve("none").toString());
    assertThrows(IOException.class, login::section);
    assertFalse(KeytabLogin.hasSection("HotTub"));
  }
}
