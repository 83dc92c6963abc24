// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.apache.tez.dag.api.records.DAGProtos.AMPluginDescriptorProto;
import org.apache.tez.dag.api.records.DAGProtos.ConfigurationProto;
import org.apache.tez.dag.api.records.DAGProtos.PlanKeyValuePair;
import org.junit.jupiter.api.Test;

class TezSettingsTest {
  /** The file, written with Tez's own classes. */
  private static byte[] write(String... keysAndValues) {
    ConfigurationProto.Builder settings =
        ConfigurationProto.newBuilder()
            .setAmPluginDescriptor(AMPluginDescriptorProto.newBuilder().setContainersEnabled(true));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      settings.addConfKeyValues(
          PlanKeyValuePair.newBuilder().setKey(keysAndValues[i]).setValue(keysAndValues[i + 1]));
    }
    return settings.build().toByteArray();
  }

  @Test
  void findsAKeyAmongOthers() throws Exception {
    byte[] file = write("a", "1", "wanted", "é", "long", "x".repeat(100_000));
    assertEquals(Optional.of("é"), TezSettings.find(file, "wanted"));
    assertEquals(Optional.of("1"), TezSettings.find(file, "a"));
    assertEquals(Optional.empty(), TezSettings.find(file, "want"));
  }

  @Test
  void anEmptyFileHasNothing() throws Exception {
    assertEquals(Optional.empty(), TezSettings.find(write(), "a"));
  }

  @Test
  void halfAFileIsAnError() throws Exception {
    byte[] file = write("a", "1", "wanted", "value");
    byte[] half = Arrays.copyOf(file, file.length - 3);
    assertThrows(IOException.class, () -> TezSettings.find(half, "wanted"));
  }

  @Test
  void noiseEndsInAnErrorOrInNothing() throws Exception {
    int refused = 0;
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      byte[] noise = new byte[random.nextInt(60)];
      random.nextBytes(noise);
      try {
        assertEquals(Optional.empty(), TezSettings.find(noise, "wanted"));
      } catch (IOException e) {
        refused++;
      }
    }
    assertTrue(refused > 2_500, refused + " of 5,000 refused");
  }
}
