// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import static java.util.stream.Collectors.joining;

import io.hottub.protocol.GeneratedPart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The settings in the management pack for Ambari. */
class AmbariSettingsTest {
  private static final Path FILE =
      Path.of("../deploy/ambari/mpack/addon-services/HOTTUB/0.1.0/configuration/hottub-site.xml");
  private static final String HOME = "/usr/lib/hottub/current/home";
  private static final Map<String, String> UNITS =
      Map.of(
          "milliseconds", "milliseconds",
          "seconds", "seconds",
          "MiB", "MB",
          "percent", "%");

  private static String element(String name, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return "<" + name + ">" + escaped + "</" + name + ">";
  }

  /** The elements that depend on what a setting may be. */
  private static String form(ValueForm form) {
    if (form instanceof ValueForm.WholeNumber number) {
      String unit =
          ManagedSettings.unit(number, UNITS).map(name -> element("unit", name)).orElse("");
      return element("type", "int")
          + element("minimum", Integer.toString(number.min()))
          + element("maximum", Integer.toString(number.max()))
          + unit;
    }
    if (form instanceof ValueForm.Flag) {
      return element("type", "boolean");
    }
    if (form instanceof ValueForm.Choice choice) {
      String entries =
          choice.words().stream()
              .map(word -> "<entry>" + element("value", word) + "</entry>")
              .collect(joining());
      return element("type", "value-list")
          + "<entries>"
          + entries
          + "</entries>"
          + element("selection-cardinality", "1");
    }
    return element("type", "string");
  }

  private static String property(ConfigKey<?> key) {
    Optional<String> value = ManagedSettings.value(key, HOME);
    String mayBeEmpty = value.isEmpty() ? element("empty-value-valid", "true") : "";
    return """
          <property>
            %s
            %s
            %s
            %s
            <value-attributes>%s</value-attributes>
            <on-ambari-upgrade add="false"/>
          </property>
        """
        .formatted(
            element("name", key.name()),
            value.map(text -> element("value", text)).orElse("<value/>"),
            element("display-name", ManagedSettings.label(key)),
            element("description", ManagedSettings.meaning(key)),
            form(key.form()) + mayBeEmpty);
  }

  @Test
  void theSettingsOfTheNodeManager() throws IOException {
    String properties =
        HotTubConfig.keys().stream().map(AmbariSettingsTest::property).collect(joining());
    GeneratedPart.assertUpToDate(FILE, List.of(properties));
  }
}
