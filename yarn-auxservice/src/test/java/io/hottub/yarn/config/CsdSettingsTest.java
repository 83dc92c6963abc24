// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.GeneratedPart;
import io.hottub.protocol.Isolation;
import io.hottub.spark.SparkKeys;
import io.hottub.tez.TezKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings in the service descriptor for Cloudera Manager. */
class CsdSettingsTest {
  private static final Path FILE = Path.of("../deploy/cloudera/csd/descriptor/service.sdl");
  private static final String HOME = "/opt/cloudera/parcels/HOTTUB/home";
  private static final Map<String, String> UNITS =
      Map.of(
          "milliseconds", "milliseconds",
          "seconds", "seconds",
          "MiB", "megabytes",
          "percent", "percent");

  private static String parameter(ConfigKey<?> key) {
    return "hottub_" + ManagedSettings.shortName(key).replace('-', '_');
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** The fields that depend on what a setting may be, in JSON. */
  private static Map<String, String> form(ValueForm form) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (form instanceof ValueForm.WholeNumber number) {
      fields.put("type", "\"long\"");
      fields.put("min", Integer.toString(number.min()));
      fields.put("max", Integer.toString(number.max()));
      ManagedSettings.unit(number, UNITS).ifPresent(unit -> fields.put("unit", quoted(unit)));
    } else if (form instanceof ValueForm.Flag) {
      fields.put("type", "\"boolean\"");
    } else if (form instanceof ValueForm.Choice choice) {
      fields.put("type", "\"string_enum\"");
      String words = choice.words().stream().map(CsdSettingsTest::quoted).collect(joining(", "));
      fields.put("validValues", "[" + words + "]");
    } else if (form instanceof ValueForm.AbsolutePath) {
      fields.put("type", "\"path\"");
      fields.put("pathType", "\"serviceSpecific\"");
      fields.put("conformRegex", "\"/.*\"");
    } else {
      fields.put("type", "\"string\"");
      String allowed = form instanceof ValueForm.Text text ? text.allowed() : ".+:[0-9]+";
      fields.put("conformRegex", quoted(allowed));
    }
    return fields;
  }

  private static String declaration(ConfigKey<?> key) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("name", quoted(parameter(key)));
    fields.put("label", quoted(ManagedSettings.label(key)));
    fields.put("description", quoted(ManagedSettings.meaning(key)));
    fields.put("configName", quoted(key.name()));
    fields.putAll(form(key.form()));
    boolean text =
        !(key.form() instanceof ValueForm.WholeNumber || key.form() instanceof ValueForm.Flag);
    ManagedSettings.value(key, HOME)
        .ifPresent(value -> fields.put("default", text ? quoted(value) : value));
    return fields.entrySet().stream()
        .map(field -> "      \"" + field.getKey() + "\": " + field.getValue())
        .collect(joining(",\n", "    {\n", "\n    }"));
  }

  @Test
  void theSettingsOfTheNodeManager() throws IOException {
    List<ConfigKey<?>> keys = HotTubConfig.keys();
    String entry = "        {\"key\": \"%s\", \"value\": \"${%s}\"},\n";
    String handedOn =
        keys.stream().map(key -> entry.formatted(key.name(), parameter(key))).collect(joining());
    String declared =
        keys.stream().map(CsdSettingsTest::declaration).collect(joining(",\n", "", "\n"));
    GeneratedPart.assertUpToDate(FILE, List.of(handedOn, declared));
  }

  @Test
  void theChoicesOfClients() throws IOException {
    String words =
        Arrays.stream(Isolation.values())
            .map(Isolation::word)
            .collect(joining("\", \"", "\"", "\""));
    String choices = "        \"validValues\": [" + words + "]\n";
    assertEquals(3, Files.readString(FILE).split(Pattern.quote(choices), -1).length - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SparkKeys.ENABLED,
        SparkKeys.ISOLATION,
        TezKeys.ENABLED,
        TezKeys.ISOLATION,
        MapReduceKeys.ENABLED,
        MapReduceKeys.ISOLATION
      })
  void theSettingsOfClients(String key) throws IOException {
    assertTrue(Files.readString(FILE).contains("\"configName\": \"" + key + "\""), key);
  }
}
