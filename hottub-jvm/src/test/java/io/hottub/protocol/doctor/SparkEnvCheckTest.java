// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.doctor.Finding.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparkEnvCheckTest {
  @TempDir Path folder;
  private Path install;
  private Path spark;

  @BeforeEach
  void install() throws Exception {
    install = folder.resolve("hottub");
    spark = folder.resolve("spark");
    Files.createDirectories(install.resolve("conf"));
    Files.createDirectories(spark.resolve("conf"));
    Files.createFile(install.resolve("conf/spark-env-hottub.sh"));
  }

  private Finding look(String... lines) throws Exception {
    Files.writeString(spark.resolve("conf/spark-env.sh"), String.join("\n", lines));
    return look(Map.of("SPARK_HOME", spark.toString()));
  }

  private Finding look(Map<String, String> environment) throws Exception {
    return new SparkEnvCheck(install, environment).look();
  }

  @ParameterizedTest
  @ValueSource(strings = {". %s", "  source \"%s\" # HotTub", "[ -e x ]\n. '%s'; true"})
  void theLineIsThere(String line) throws Exception {
    Finding finding = look("A=b", line.formatted(install.resolve("conf/spark-env-hottub.sh")));
    assertEquals(Result.OK, finding.result(), finding.text());
  }

  @Test
  void theLineHasAVariable() throws Exception {
    assertEquals(Result.OK, look(". $HOTTUB/conf/spark-env-hottub.sh").result());
  }

  @Test
  void noLine() throws Exception {
    Finding finding = look("# . " + install.resolve("conf/spark-env-hottub.sh"));
    assertEquals(Result.WARNING, finding.result());
    assertEquals(
        "add to %s: . %s"
            .formatted(
                spark.resolve("conf/spark-env.sh"), install.resolve("conf/spark-env-hottub.sh")),
        finding.todo());
  }

  @Test
  void theFileOfTheLineIsGone() throws Exception {
    Finding finding = look(". /gone/conf/spark-env-hottub.sh");
    assertEquals(Result.FAILED, finding.result());
    assertTrue(finding.text().endsWith(", which is not there"), finding.text());
  }

  @Test
  void theLineIsOfAnotherInstallation() throws Exception {
    Path other = Files.createFile(folder.resolve("spark-env-hottub.sh"));
    assertEquals(Result.WARNING, look(". " + other).result());
  }

  @Test
  void sparkIsFoundByItsFolderOfSettingsOrByThePath() throws Exception {
    assertEquals(Result.NOT_APPLICABLE, look(Map.of("PATH", "/nowhere")).result());
    Path submit = Files.createDirectory(spark.resolve("bin")).resolve("spark-submit");
    Files.createFile(submit).toFile().setExecutable(true);
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("spark-submit"), submit);
    Finding byPath = look(Map.of("PATH", "/nowhere:" + bin));
    assertTrue(byPath.text().startsWith(spark.resolve("conf/spark-env.sh") + " has no line"));
    Finding bySettings = look(Map.of("SPARK_CONF_DIR", "/etc/spark", "PATH", bin.toString()));
    assertTrue(bySettings.text().startsWith("/etc/spark/spark-env.sh has no line"));
  }
}
