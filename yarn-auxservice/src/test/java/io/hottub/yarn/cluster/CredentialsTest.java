// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.config.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {
  @TempDir private Path work;

  private Optional<Path> file(String text, String mode) throws IOException {
    Path file = Files.writeString(work.resolve("credentials"), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return Optional.of(file);
  }

  @Test
  void aFileOfItsOwnerOnly() throws Exception {
    assertEquals("nm:a:b", new String(Credentials.read(file("nm:a:b\n", "rw-------")), UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----"})
  void aFileThatOthersMayUseIsRefused(String mode) throws Exception {
    Optional<Path> file = file("nm:secret\n", mode);
    assertThrows(IOException.class, () -> Credentials.read(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nm", ":secret", "nm:", "nm:a\nnm:b"})
  void aFileOfAnotherFormIsRefused(String text) throws Exception {
    Optional<Path> file = file(text, "rw-------");
    String message = assertThrows(IOException.class, () -> Credentials.read(file)).getMessage();
    assertEquals(
        HotTubConfig.CLUSTER_CREDENTIALS.name()
            + " is \""
            + file.get()
            + "\": it does not hold user:password; what to do: name a file with one line"
            + " user:password, which only the NodeManager's user may read",
        message);
  }

  @Test
  void noFile() {
    assertEquals(
        HotTubConfig.CLUSTER_CREDENTIALS.name()
            + " is not set: "
            + HotTubConfig.CLUSTER_AUTH.name()
            + " is digest, which needs a file; what to do: name a file with one line user:password,"
            + " which only the NodeManager's user may read",
        assertThrows(SettingException.class, () -> Credentials.read(Optional.empty()))
            .getMessage());
    assertThrows(IOException.class, () -> Credentials.read(Optional.of(work.resolve("none"))));
  }
}
