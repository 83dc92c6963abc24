// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.Json;
import io.hottub.protocol.KeeperState;
import io.hottub.yarn.config.ConfigKey;
import io.hottub.yarn.metrics.Metrics;
import io.hottub.yarn.pool.PooledJvm;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of the drop-in jar that ends the build: it has to see what it is there for. */
class CheckShadingTest {
  @TempDir private Path work;

  private record Result(int status, String output) {}

  private Result check(Path jar) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(Path.of("check-shading").toAbsolutePath().toString(), jar.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  private Path jar(Class<?>... classes) throws IOException {
    Path jar = work.resolve("test.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Class<?> type : classes) {
        String name = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(name));
        try (InputStream in = type.getResourceAsStream("/" + name)) {
          in.transferTo(out);
        }
      }
    }
    return jar;
  }

  @Test
  void ourOwnClassesPass() throws Exception {
    Result result = check(jar(ConfigKey.class, Json.class));
    assertEquals(0, result.status(), result.output());
  }

  @Test
  void aClassOfALibraryDoesNot() throws Exception {
    Result result = check(jar(ConfigKey.class, MetricRegistry.class));
    assertNotEquals(0, result.status());
    assertTrue(result.output().contains("com/codahale/metrics/MetricRegistry"), result.output());
  }

  @Test
  void aUseOfALibraryThatWasNotRelocatedDoesNot() throws Exception {
    Result result = check(jar(Metrics.class));
    assertNotEquals(0, result.status());
    assertTrue(result.output().contains("com.codahale.metrics"), result.output());
  }

  @Test
  void aClassThatWasLeftOutDoesNot() throws Exception {
    Result result = check(jar(PooledJvm.class));
    assertNotEquals(0, result.status());
    assertTrue(result.output().contains(KeeperState.class.getPackageName()), result.output());
  }
}
