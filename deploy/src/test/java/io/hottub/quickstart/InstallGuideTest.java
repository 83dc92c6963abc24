// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What the install guide does to the settings of a NodeManager. */
class InstallGuideTest {
  private static final Pattern STEP =
      Pattern.compile(
          "## 4\\. Settings of the NodeManager\n.*?\n```sh\n(.*?)\n```\n", Pattern.DOTALL);

  @TempDir Path folder;

  /**
   * Follows the step, and reads its yarn-site.xml as Hadoop does: the last one of a name counts.
   */
  private Map<String, String> settingsAfter(String yarnSite) throws Exception {
    Path file = Files.writeString(folder.resolve("yarn-site.xml"), yarnSite);
    Matcher step = STEP.matcher(Files.readString(Path.of("dist/INSTALL.md")));
    assertTrue(step.find());
    String commands =
        step.group(1).replace("/opt/hadoop/etc/hadoop", "" + folder).replace("/root", "" + folder);
    Process process =
        new ProcessBuilder("bash", "-euc", commands).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    Element root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
    assertEquals("configuration", root.getTagName());
    NodeList names = root.getElementsByTagName("name");
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < names.getLength(); i++) {
      Element property = (Element) names.item(i).getParentNode();
      settings.put(
          names.item(i).getTextContent(),
          property.getElementsByTagName("value").item(0).getTextContent());
    }
    return settings;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<configuration>\n  <property><name>a</name><value>b</value></property>\n</configuration>\n",
        "<?xml version=\"1.0\"?><configuration><property><name>a</name><value>b</value></property> </configuration>",
        "<configuration></configuration>",
        "<configuration/>\n"
      })
  void theSettingsAreInTheConfigurationHoweverItIsWritten(String yarnSite) throws Exception {
    Map<String, String> settings = settingsAfter(yarnSite);
    assertEquals("/opt/hottub/home", settings.get("yarn.nodemanager.aux-services.hottub.home"));
    assertEquals(yarnSite.contains("<name>a") ? "b" : null, settings.get("a"));
  }

  /** They hold for all jobs: with the check of memory that of the address space begins, too. */
  @Test
  void whoChecksTheMemoryOfContainersStaysAsItWas() throws Exception {
    Map<String, String> settings = settingsAfter("<configuration>\n</configuration>\n");
    assertEquals(
        "io.hottub.yarn.HotTubProcessTree",
        settings.get("yarn.nodemanager.container-monitor.process-tree.class"));
    settings
        .keySet()
        .forEach(name -> assertFalse(name.matches(".*(mem-check|resource[.]memory).*"), name));
  }
}
