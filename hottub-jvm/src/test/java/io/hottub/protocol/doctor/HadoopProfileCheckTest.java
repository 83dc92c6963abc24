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

class HadoopProfileCheckTest {
  @TempDir Path folder;
  private Path install;
  private Path script;
  private Path hadoop;
  private Path profiles;

  @BeforeEach
  void install() throws Exception {
    install = folder.resolve("hottub");
    script = install.resolve("conf/hadoop-profile-hottub.sh");
    Files.createDirectories(script.getParent());
    Files.createFile(script);
    hadoop = folder.resolve("hadoop");
    profiles = Files.createDirectories(hadoop.resolve("etc/hadoop/shellprofile.d"));
  }

  private Finding look(Map<String, String> environment) throws Exception {
    return new HadoopProfileCheck(install, environment).look();
  }

  private Finding look() throws Exception {
    return look(Map.of("HADOOP_HOME", hadoop.toString(), "HOME", folder.toString()));
  }

  @Test
  void theProfileIsThere() throws Exception {
    Files.writeString(profiles.resolve("hottub.sh"), ". " + script + "\n");
    assertEquals(Result.OK, look().result());
  }

  @Test
  void theProfileHasAnotherName() throws Exception {
    Files.writeString(profiles.resolve("ours.sh"), "A=b\n. '" + script + "'\n");
    assertEquals(Result.OK, look().result());
  }

  @Test
  void itIsOneUsersOwn() throws Exception {
    Files.writeString(folder.resolve(".hadooprc"), ". " + script + "\n");
    assertEquals(Result.OK, look().result());
  }

  @Test
  void noProfile() throws Exception {
    Files.writeString(profiles.resolve("other.sh"), "# . " + script + "\n");
    Finding finding = look();
    assertEquals(Result.WARNING, finding.result());
    assertEquals(
        "write to %s: . %s".formatted(profiles.resolve("hottub.sh"), script), finding.todo());
    Files.delete(profiles.resolve("other.sh"));
    Files.delete(profiles);
    assertEquals(finding, look());
  }

  @Test
  void theScriptOfTheProfileIsGone() throws Exception {
    Files.writeString(profiles.resolve("hottub.sh"), ". /gone/hadoop-profile-hottub.sh\n");
    assertEquals(Result.FAILED, look().result());
  }

  @Test
  void theScriptIsOfAnotherInstallation() throws Exception {
    Path other = Files.createFile(folder.resolve("hadoop-profile-hottub.sh"));
    Files.writeString(profiles.resolve("hottub.sh"), ". " + other + "\n");
    assertEquals(Result.WARNING, look().result());
  }

  @Test
  void hadoopIsFoundByItsFolderOfSettingsOrByThePath() throws Exception {
    assertEquals(Result.NOT_APPLICABLE, look(Map.of("PATH", "/nowhere")).result());
    Path hdfs = Files.createDirectory(hadoop.resolve("bin")).resolve("hdfs");
    Files.createFile(hdfs).toFile().setExecutable(true);
    Finding byPath = look(Map.of("PATH", "/nowhere:" + hdfs.getParent()));
    assertTrue(byPath.text().startsWith(profiles.resolve("hottub.sh") + " has no line"));
    Finding bySettings = look(Map.of("HADOOP_CONF_DIR", "/etc/hadoop/conf"));
    assertTrue(
        bySettings.text().startsWith("/etc/hadoop/conf/shellprofile.d/hottub.sh has no line"));
  }
}
