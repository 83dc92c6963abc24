// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder of one user below the root of the pool, where the sockets of the keepers are. Only a
 * folder that this process's user owns, with mode 0700, is ever looked into; and only below a root
 * where nobody but that user and root can rename it.
 */
public final class PoolDirectory {
  private static final Path SYSTEM_ROOT = Path.of("/run/hottub");
  private static final Path USERS = Path.of("/run/user");
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> NOT_FOR_OTHERS_TO_WRITE =
      PosixFilePermissions.fromString("rwxr-xr-x");
  private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern SOCKET = Pattern.compile("[ibl]-([1-9][0-9]{0,9})");

  private static final int ROOT_UID = 0;
  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final int STICKY = 01000;

  /** Length of {@code sun_path} without its final NUL. */
  private static final int MAX_SOCKET_PATH_BYTES = 107;

  /** What a root must leave room for: {@code /uid/fingerprint/i-pid} at its longest. */
  private static final int BELOW_ROOT_BYTES = 1 + 10 + 1 + 32 + 1 + 2 + 10;

  private final Path root;
  private final Path userFolder;

  private PoolDirectory(Path root, Path userFolder) {
    this.root = root;
    this.userFolder = userFolder;
  }

  /**
   * The pool of this process's user below a given root; nothing has to exist yet.
   *
   * @param root absolute, at most 50 bytes long, because socket addresses are short
   * @throws IOException if the root cannot be used for sockets, or the own uid cannot be found
   */
  public static PoolDirectory at(Path root) throws IOException {
    if (!root.isAbsolute()) {
      throw new IOException("the pool's root " + root + " is not an absolute path");
    }
    if (root.toString().getBytes(StandardCharsets.UTF_8).length + BELOW_ROOT_BYTES
        > MAX_SOCKET_PATH_BYTES) {
      throw new IOException(
          "the pool's root "
              + root
              + " is longer than "
              + (MAX_SOCKET_PATH_BYTES - BELOW_ROOT_BYTES)
              + " bytes, no socket fits below it");
    }
    return new PoolDirectory(root, root.resolve(Integer.toString(OwnUser.uid())));
  }

  /**
   * The pool that the client would use with this environment. {@code docs/protocol.md}, "Folders",
   * is the rule; {@code roots.tsv} has its cases, which the client keeps as well.
   *
   * @throws NoPoolException if there is no place for it, or one that is not safe
   * @throws IOException if the root that the rule leads to cannot be used for sockets
   */
  public static PoolDirectory resolve(Map<String, String> environment) throws IOException {
    return resolve(environment, SYSTEM_ROOT, USERS);
  }

  /** With other folders than {@code /run/hottub} and {@code /run/user}, for tests. */
  static PoolDirectory resolve(Map<String, String> environment, Path system, Path users)
      throws IOException {
    String chosen = environment.getOrDefault("HOTTUB_DIR", "");
    if (!chosen.isEmpty()) {
      Path root = path(chosen);
      Optional<String> obstacle =
          root.isAbsolute() ? at(root).obstacle() : Optional.of("it is not an absolute path");
      if (obstacle.isPresent()) {
        throw new NoPoolException(
            NoPoolException.NONE, "HOTTUB_DIR is " + chosen + ", and " + obstacle.get());
      }
      return at(root);
    }
    List<Path> places = new ArrayList<>(List.of(system));
    Path runtime = path(environment.getOrDefault("XDG_RUNTIME_DIR", ""));
    for (Path folder : List.of(runtime, users.resolve(Integer.toString(OwnUser.uid())))) {
      if (isRuntimeFolder(folder)) {
        places.add(folder.resolve("hottub"));
      }
    }
    List<String> obstacles = new ArrayList<>();
    NoPoolException taken = null;
    for (Path place : places) {
      PoolDirectory pool = at(place);
      try {
        Optional<String> obstacle = pool.obstacle();
        if (obstacle.isEmpty()) {
          return pool;
        }
        obstacles.add(obstacle.get());
      } catch (NoPoolException e) {
        if (!pool.isTaken()) {
          throw e;
        }
        taken = taken == null ? e : taken;
      }
    }
    if (taken != null) {
      throw taken;
    }
    throw new NoPoolException(NoPoolException.NONE, String.join(", ", obstacles));
  }

  /** In the POSIX locale names that are not ASCII are none. */
  private static Path path(String text) throws NoPoolException {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new NoPoolException(
          NoPoolException.NONE,
          "in the locale of this process the folder of the environment has no name ("
              + e.getReason()
              + "): set LC_ALL to a locale with UTF-8");
    }
  }

  /** What is left of a login that is over, or somebody else's after su, is not ours to use. */
  private static boolean isRuntimeFolder(Path folder) throws IOException {
    if (!folder.isAbsolute() || !Files.isDirectory(folder)) {
      return false;
    }
    Map<String, Object> attributes = Files.readAttributes(folder, "unix:uid,mode");
    return (Integer) attributes.get("uid") == OwnUser.uid()
        && ((Integer) attributes.get("mode") & WRITABLE_BY_OTHERS) == 0;
  }

  /**
   * What keeps this user from having a pool here; empty if it is here, or can be made.
   *
   * @throws NoPoolException if it is here and not safe
   */
  private Optional<String> obstacle() throws IOException {
    if (!Files.isDirectory(root)) {
      return exists(root) ? Optional.of(root + " is no folder") : obstacleOfMaking(root);
    }
    try {
      checkRoot();
      if (exists(userFolder)) {
        checkUserFolder();
        return Optional.empty();
      }
    } catch (IOException e) {
      throw new NoPoolException(NoPoolException.UNSAFE, e.getMessage());
    }
    return obstacleOfMaking(userFolder);
  }

  /** Nothing is made but the folder itself: what is above it is somebody's decision. */
  private static Optional<String> obstacleOfMaking(Path folder) throws IOException {
    Path parent = folder.getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      return Optional.of(folder + " is not there, and nor is the folder above it");
    }
    return isOpen(parent)
        ? Optional.empty()
        : Optional.of(folder + " is not there, and the uid " + OwnUser.uid() + " may not make it");
  }

  /** Whether somebody else has made the user's folder, as whoever may write in the root can. */
  private boolean isTaken() {
    try {
      checkRoot();
      return !Files.getOwner(userFolder, LinkOption.NOFOLLOW_LINKS).equals(OwnUser.principal());
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isOpen(Path folder) {
    return Files.isDirectory(folder) && Files.isWritable(folder) && Files.isExecutable(folder);
  }

  /**
   * Whether this is the root for all users and is missing: a run of root would make it, and nobody
   * else could use it.
   */
  public boolean lacksRootOfAll() {
    return root.equals(SYSTEM_ROOT) && !exists(root);
  }

  /** Root of the pool; what {@code HOTTUB_DIR} holds. */
  public Path root() {
    return root;
  }

  /** Folder of this process's user. */
  public Path userFolder() {
    return userFolder;
  }

  /**
   * Creates root and user folder where they are missing, and nothing above them. The umask cannot
   * widen or narrow the mode of the user folder.
   *
   * @throws NoPoolException if a folder cannot be created, or is there but not to be trusted
   */
  public void create() throws IOException {
    Optional<String> obstacle = obstacle();
    if (obstacle.isPresent()) {
      throw new NoPoolException(NoPoolException.NONE, obstacle.get());
    }
    try {
      make(root, NOT_FOR_OTHERS_TO_WRITE);
      if (make(userFolder, OWNER_ONLY)) {
        Files.setPosixFilePermissions(userFolder, OWNER_ONLY);
      }
    } catch (FileSystemException e) {
      throw new NoPoolException(NoPoolException.NONE, "cannot make " + e.getMessage());
    }
    try {
      checkUserFolder();
    } catch (IOException e) {
      throw new NoPoolException(NoPoolException.UNSAFE, e.getMessage());
    }
  }

  /** Returns whether it was made here: another process may have been faster. */
  private static boolean make(Path folder, Set<PosixFilePermission> mode) throws IOException {
    if (exists(folder)) {
      return false;
    }
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(mode));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /**
   * @throws NoSuchFileException if there is no root yet
   * @throws IOException if it belongs to another user, or others may rename what is in it
   */
  private void checkRoot() throws IOException {
    Map<String, Object> attributes = Files.readAttributes(root, "unix:uid,mode");
    int uid = (Integer) attributes.get("uid");
    int mode = (Integer) attributes.get("mode");
    if (uid != ROOT_UID && uid != OwnUser.uid()) {
      throw new IOException("the pool's root " + root + " is owned by the uid " + uid);
    }
    if ((mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0) {
      throw new IOException("the pool's root " + root + " is writable by others and not sticky");
    }
  }

  /**
   * @throws NoSuchFileException if there is no folder yet
   * @throws IOException if it is not a folder of this user with mode 0700, below a root that can be
   *     relied on
   */
  private void checkUserFolder() throws IOException {
    checkRoot();
    PosixFileAttributes attributes =
        Files.readAttributes(userFolder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isDirectory()) {
      throw new NotDirectoryException(userFolder + " is no folder");
    }
    if (!attributes.owner().equals(OwnUser.principal())) {
      throw new IOException(userFolder + " is owned by " + attributes.owner().getName());
    }
    if (!attributes.permissions().equals(OWNER_ONLY)) {
      throw new IOException(
          userFolder
              + " has mode "
              + PosixFilePermissions.toString(attributes.permissions())
              + ", not rwx------");
    }
  }

  /**
   * Lists the sockets of all keepers; some of them may be dead.
   *
   * @return in no order; empty if there is no pool yet
   * @throws IOException if the user's folder is not to be trusted or cannot be read
   */
  public List<KeeperSocket> sockets() throws IOException {
    List<KeeperSocket> sockets = new ArrayList<>();
    for (String fingerprint : fingerprints()) {
      addSockets(userFolder.resolve(fingerprint), sockets);
    }
    return sockets;
  }

  /**
   * Lists the fingerprints that have a folder.
   *
   * @return in no order; empty if there is no pool yet
   * @throws IOException if the user's folder is not to be trusted or cannot be read
   */
  public List<String> fingerprints() throws IOException {
    List<String> fingerprints = new ArrayList<>();
    try {
      checkUserFolder();
    } catch (NoSuchFileException e) {
      return fingerprints;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(userFolder)) {
      for (Path folder : folders) {
        String name = folder.getFileName().toString();
        if (isFingerprint(name)) {
          fingerprints.add(name);
        }
      }
    }
    return fingerprints;
  }

  /** Whether a text is the name of a fingerprint's folder. */
  public static boolean isFingerprint(String text) {
    return FINGERPRINT.matcher(text).matches();
  }

  /**
   * A keeper renames its socket whenever its JVM begins or ends a run, and a listing that happens
   * then may show neither name. Nothing is renamed in the folder of offers.
   */
  private static void addSockets(Path folder, List<KeeperSocket> sockets) throws IOException {
    Set<Long> keepers = new TreeSet<>();
    addKeepers(folder, keepers);
    addKeepers(folder.resolve("offers"), keepers);
    for (long keeper : keepers) {
      KeeperSocket socket = new KeeperSocket(folder, keeper, true);
      boolean idle = exists(socket.pathWhenIdle());
      sockets.add(idle ? socket : new KeeperSocket(folder, keeper, false));
    }
  }

  private static void addKeepers(Path folder, Set<Long> keepers) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Matcher matcher = SOCKET.matcher(file.getFileName().toString());
        if (matcher.matches()) {
          keepers.add(Long.parseLong(matcher.group(1)));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      // The last keeper of this fingerprint has just removed its folder.
    }
  }
}
