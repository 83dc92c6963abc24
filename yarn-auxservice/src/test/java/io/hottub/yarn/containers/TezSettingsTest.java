// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.apache.tez.dag.api.records.DAGProtos.AMPluginDescriptorProto;
import org.apache.tez.dag.api.records.DAGProtos.ConfigurationProto;
import org.apache.tez.dag.api.records.DAGProtos.PlanKeyValuePair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TezSettingsTest {
  @TempDir Path temp;

  /** Writes the file with Tez's own classes. */
  private Path write(String... keysAndValues) throws IOException {
    ConfigurationProto.Builder settings =
        ConfigurationProto.newBuilder()
            .setAmPluginDescriptor(AMPluginDescriptorProto.newBuilder().setContainersEnabled(true));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      settings.addConfKeyValues(
          PlanKeyValuePair.newBuilder().setKey(keysAndValues[i]).setValue(keysAndValues[i + 1]));
    }
    Path file = temp.resolve("tez-conf.pb");
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.build().writeTo(out);
    }
    return file;
  }

  @Test
  void findsAKeyAmongOthers() throws Exception {
    Path file = write("a", "1", "wanted", "é", "long", "x".repeat(100_000));
    assertEquals(Optional.of("é"), TezSettings.read(file, "wanted"));
    assertEquals(Optional.of("1"), TezSettings.read(file, "a"));
    assertEquals(Optional.empty(), TezSettings.read(file, "want"));
  }

  @Test
  void anEmptyFileHasNothing() throws Exception {
    assertEquals(Optional.empty(), TezSettings.read(write(), "a"));
  }

  @Test
  void halfAFileIsAnError() throws Exception {
    Path file = write("a", "1", "wanted", "value");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 3));
    assertThrows(IOException.class, () -> TezSettings.read(file, "wanted"));
  }

  @Test
  void noiseEndsInAnErrorOrInNothing() throws Exception {
    int refused = 0;
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      byte[] noise = new byte[random.nextInt(60)];
      random.nextBytes(noise);
      try {
        assertEquals(Optional.empty(), TezSettings.find(ByteBuffer.wrap(noise), "wanted"));
      } catch (IOException e) {
        refused++;
      }
    }
    assertTrue(refused > 2_500, refused + " of 5,000 refused");
  }
}
