// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package java.lang;

import java.io.File;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import jdk.internal.loader.HotTubFields;
import jdk.internal.misc.Unsafe;

/** Both file systems of the class library remember the working directory that they started in. */
final class HotTubFileSystems {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();

  private static Object io;
  private static FileSystem nio;
  private static long ioUserDir;
  private static long nioDefaultDirectory;
  private static long nioNeedToResolve;

  private HotTubFileSystems() {}

  static void prepare() throws ReflectiveOperationException {
    io = HotTubFields.field(File.class, "fs").get(null);
    nio = FileSystems.getDefault();
    ioUserDir = UNSAFE.objectFieldOffset(io.getClass(), "userDir");
    Class<?> unix = Class.forName("sun.nio.fs.UnixFileSystem");
    nioDefaultDirectory = UNSAFE.objectFieldOffset(unix, "defaultDirectory");
    nioNeedToResolve = UNSAFE.objectFieldOffset(unix, "needToResolveAgainstDefaultDirectory");
  }

  /**
   * Makes relative names relative to {@code userDir}.
   *
   * @param userDir the property user.dir
   * @param directory the working directory of the process
   */
  static void use(String userDir, String directory) {
    UNSAFE.putReference(io, ioUserDir, userDir);
    byte[] bytes = nio.getPath(userDir).toString().getBytes();
    UNSAFE.putReference(nio, nioDefaultDirectory, bytes);
    UNSAFE.putBoolean(nio, nioNeedToResolve, !userDir.equals(directory));
  }
}
