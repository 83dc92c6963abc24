// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the Debian and the RPM package; {@code packages/try} installs them. */
class PackagesTest {
  private static final Path BUILD = Path.of("packages/build").toAbsolutePath();
  private static final Path INSTALL =
      Path.of("../hottub-jvm/build/install-packages").toAbsolutePath().normalize();

  @TempDir Path folder;
  private Path tarball;

  @BeforeEach
  void makeTarball() throws Exception {
    tarball = new TestTarball(folder).make();
  }

  /** The package of that kind. The tool is installed; where that cannot be, the test is skipped. */
  private Path make(String kind, String tool, String debianPackage) throws Exception {
    if (!isThere(tool)) {
      String said = install(debianPackage);
      assumeTrue(isThere(tool), "there is no " + tool + ": " + said.strip());
    }
    return Path.of(TestTarball.run(BUILD.toString(), tarball.toString(), kind).strip());
  }

  private static boolean isThere(String tool) {
    return Stream.of("/usr/bin", "/bin").anyMatch(bin -> Files.exists(Path.of(bin, tool)));
  }

  private String install(String debianPackage) throws IOException {
    Path list = Files.writeString(folder.resolve("needed.txt"), debianPackage + "\n");
    Process install =
        new ProcessBuilder(INSTALL.toString(), list.toString()).redirectErrorStream(true).start();
    return new String(install.getInputStream().readAllBytes(), UTF_8);
  }

  private Path deb() throws Exception {
    return make("deb", "dpkg-deb", "dpkg");
  }

  private Path rpm() throws Exception {
    return make("rpm", "rpmbuild", "rpm");
  }

  /** Mode, owner and name of each file. */
  private static final List<String> FILES =
      List.of(
          "-rwxr-xr-x root/root /usr/lib/hottub/home/bin/java",
          "lrwxrwxrwx root/root /usr/lib/hottub/home/conf -> /etc/hottub/java",
          "-rw-r--r-- root/root /etc/hottub/java/net.properties",
          "drwxr-xr-x root/root /etc/hottub/recipes",
          "lrwxrwxrwx root/root /usr/bin/hottub -> ../lib/hottub/bin/hottub",
          "-rwxr-xr-x root/root /usr/lib/hottub/bin/hottub",
          "-rw-r--r-- root/root /usr/lib/hottub/lib/hottub.jar",
          "-rw-r--r-- root/root /usr/lib/hottub/lib/yarn/yarn-auxservice-1.jar",
          "-rw-r--r-- root/root /usr/lib/hottub/conf/spark-env-hottub.sh",
          "-rw-r--r-- root/root /usr/lib/tmpfiles.d/hottub.conf",
          "-rw-r--r-- root/root /usr/share/doc/hottub/docs/doctor.md",
          "-rw-r--r-- root/root /usr/share/doc/hottub/hottub.cdx.json",
          "-rw-r--r-- root/root /usr/share/doc/hottub/licenses/Apache-2.0.txt",
          "-rw-r--r-- root/root /usr/share/man/man1/hottub.1.gz");

  private static void assertHasFiles(List<String> files) {
    for (String file : FILES) {
      assertTrue(files.contains(file), file + " in\n" + String.join("\n", files));
    }
  }

  @Test
  void theDebianPackageHasItsFiles() throws Exception {
    assertHasFiles(
        TestTarball.run("dpkg-deb", "--contents", deb().toString())
            .lines()
            .map(line -> line.replaceAll(" +\\d+ \\S+ \\S+ \\.", " ").replaceAll("(.)/$", "$1"))
            .toList());
    assertEquals(
        "/etc/hottub/java/net.properties\n",
        TestTarball.run("dpkg-deb", "--info", deb().toString(), "conffiles"));
  }

  @Test
  void theRpmPackageHasItsFiles() throws Exception {
    String format =
        "[%{FILEMODES:perms} %{FILEUSERNAME}/%{FILEGROUPNAME} %{FILENAMES} -> %{FILELINKTOS}\\n]";
    assertHasFiles(
        TestTarball.run("rpm", "-qp", "--qf", format, rpm().toString())
            .lines()
            .map(line -> line.replaceAll(" -> $", ""))
            .toList());
    assertEquals(
        "/etc/hottub/java/net.properties\n",
        TestTarball.run("rpm", "-qp", "--configfiles", rpm().toString()));
  }

  /** The place where the home is known when the package is made. */
  @Test
  void theFragmentsNameTheHome() throws Exception {
    Path root = folder.resolve("root");
    TestTarball.run("dpkg-deb", "--extract", deb().toString(), root.toString());
    String site = Files.readString(root.resolve("usr/lib/hottub/conf/yarn-site-hottub.xml"));
    assertTrue(site.contains("<value>/usr/lib/hottub/home</value>"), site);
  }

  @Test
  void equalTarballsGiveEqualPackages() throws Exception {
    byte[] deb = Files.readAllBytes(deb());
    assertEquals(-1, Arrays.mismatch(deb, Files.readAllBytes(deb())), "Debian package");
    byte[] rpm = Files.readAllBytes(rpm());
    assertEquals(-1, Arrays.mismatch(rpm, Files.readAllBytes(rpm())), "RPM package");
  }
}
