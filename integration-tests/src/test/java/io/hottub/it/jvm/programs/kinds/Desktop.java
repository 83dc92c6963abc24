// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.io.ByteArrayInputStream;
import java.security.Permission;
import java.util.logging.Logger;
import javax.imageio.ImageIO;

/**
 * What a class of the desktop has left where other packages look for it: under a security manager,
 * loggers ask it whose they are, as soon as it is there.
 */
public class Desktop extends Kind {
  private static boolean read() throws Exception {
    return ImageIO.read(new ByteArrayInputStream(new byte[] {0, 1})) == null;
  }

  @Override
  protected void dirty() throws Exception {
    read();
  }

  @Override
  @SuppressWarnings("removal")
  protected void probe() throws Exception {
    Logger before = Logger.getLogger("kinds.desktop");
    System.setSecurityManager(
        new SecurityManager() {
          @Override
          public void checkPermission(Permission permission) {
            // All are given.
          }
        });
    show("image", Desktop::read);
    show("logger", () -> before == Logger.getLogger("kinds.desktop"));
  }
}
