// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolDirectoryTest {
  @TempDir Path temp;

  @Test
  void environmentNamesTheRoot() throws Exception {
    Map<String, String> environment =
        Map.of("HOTTUB_DIR", temp.toString(), "XDG_RUNTIME_DIR", "/elsewhere");
    assertEquals(temp, PoolDirectory.resolve(environment).root());
    assertThrows(
        IOException.class, () -> PoolDirectory.resolve(Map.of("HOTTUB_DIR", "relative/folder")));
  }

  @Test
  void refusesARootThatNoSocketFitsBelow() {
    assertThrows(IOException.class, () -> PoolDirectory.at(Path.of("/" + "x".repeat(51))));
  }

  @Test
  void createsAClosedFolder() throws Exception {
    PoolDirectory pool = PoolDirectory.at(temp.resolve("deeper"));
    assertEquals(List.of(), pool.sockets());
    pool.create();
    pool.create();
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(pool.userFolder())));
    assertEquals(temp.resolve("deeper"), pool.userFolder().getParent());
  }

  private static String whyNot(Path root) {
    NoPoolException e = assertThrows(NoPoolException.class, () -> PoolDirectory.at(root).create());
    return e.getMessage();
  }

  /** Each with the object, what is wrong with it, and the next step. */
  @Test
  void saysWhatKeepsItFromBeingCreated() throws Exception {
    String none = "no pool can be used, runs are cold (no-pool-directory): ";
    String made =
        "; what to do: make /run/hottub with mode 1777, as conf/tmpfiles.d/hottub.conf does,"
            + " or set HOTTUB_DIR";
    Path deep = temp.resolve("a/b");
    assertEquals(
        none + deep + " is not there, and nor is the folder above it" + made, whyNot(deep));
    assertFalse(Files.exists(deep.getParent()), "nothing is made above a root");
    Path file = Files.createFile(temp.resolve("file"));
    assertEquals(none + file + " is no folder" + made, whyNot(file));

    Path open = Files.createDirectory(temp.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertEquals(
        "no pool can be used, runs are cold (pool-directory-unsafe): the pool's root "
            + open
            + " is writable by others and not sticky; what to do: correct its owner and mode: the root"
            + " is sticky or closed, the folder below is 0700",
        whyNot(open));
  }

  @Test
  void refusesAFolderThatOthersMayEnter() throws Exception {
    PoolDirectory pool = PoolDirectory.at(temp);
    pool.create();
    Files.setPosixFilePermissions(pool.userFolder(), PosixFilePermissions.fromString("rwxr-x---"));
    assertThrows(IOException.class, pool::create);
    assertThrows(IOException.class, pool::sockets);
  }

  @Test
  void refusesALinkInPlaceOfTheFolder() throws Exception {
    PoolDirectory pool = PoolDirectory.at(temp.resolve("root"));
    Path real = Files.createDirectories(temp.resolve("real"));
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(pool.root());
    Files.createSymbolicLink(pool.userFolder(), real);
    assertThrows(IOException.class, pool::sockets);
  }

  @Test
  void listsSocketsAndNothingElse() throws Exception {
    PoolDirectory pool = PoolDirectory.at(temp);
    pool.create();
    Path folder = Files.createDirectory(MockKeeper.fingerprintFolder(pool, "a"));
    for (String name : List.of("i-12", "b-34", "12.log", "i-", "i-x", "c-5", "i-012")) {
      Files.createFile(folder.resolve(name));
    }
    Path offers = Files.createDirectory(folder.resolve("offers"));
    for (String name : List.of("l-12", "w-12", "l-56", "w-78")) {
      Files.createFile(offers.resolve(name));
    }
    Files.createFile(pool.userFolder().resolve("limits"));
    Files.createFile(Files.createDirectory(pool.userFolder().resolve("other")).resolve("i-99"));

    List<KeeperSocket> sockets = pool.sockets();
    assertEquals(
        Set.of(
            new KeeperSocket(folder, 12, true),
            new KeeperSocket(folder, 34, false),
            // It was being renamed when its folder was listed.
            new KeeperSocket(folder, 56, false)),
        Set.copyOf(sockets));
    assertEquals(3, sockets.size());
    assertEquals("a".repeat(32), sockets.get(0).fingerprintPrefix());
  }

  @Test
  void refusesARootInWhichOthersMayRename() throws Exception {
    PoolDirectory pool = PoolDirectory.at(temp);
    pool.create();
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThrows(IOException.class, pool::create);
    assertThrows(IOException.class, pool::sockets);
    Files.setAttribute(temp, "unix:mode", 01777);
    assertEquals(List.of(), pool.sockets());
  }

  @Test
  void writesLimitsWhole() throws Exception {
    PoolDirectory pool = PoolDirectory.at(temp);
    pool.create();
    Path file = pool.userFolder().resolve("limits");

    new PoolLimits(4, 2, 900, 1000, 500).write(pool);
    assertEquals(
        "max_jvms 4\nmax_jvms_per_fingerprint 2\nidle_seconds 900\nmax_leases 1000\nmemory_mb 500\n"
            + "isolation reuse\n",
        Files.readString(file));
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)));

    new PoolLimits(4, 2, 900, 1000, 500, Isolation.CLONE).write(pool);
    assertTrue(Files.readString(file).endsWith("\nisolation clone\n"), "a line that clients know");

    new PoolLimits(0, 1, 1, 1, 1, Isolation.CLONE).write(pool);
    assertEquals("disabled\n", Files.readString(file));
    try (var files = Files.list(pool.userFolder())) {
      assertEquals(1, files.count(), "no draft is left");
    }
  }
}
