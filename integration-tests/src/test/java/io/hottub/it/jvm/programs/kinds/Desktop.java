// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
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

  /** What native libraries decide once: whether there is a display, and by what fonts are drawn. */
  private static String draw() {
    BufferedImage image = new BufferedImage(40, 20, BufferedImage.TYPE_INT_ARGB);
    Graphics2D graphics = image.createGraphics();
    graphics.drawString("text", 2, 15);
    return System.getProperty("sun.font.fontmanager");
  }

  @Override
  protected void dirty() throws Exception {
    read();
    System.setProperty("java.awt.headless", "false");
    try {
      draw();
    } catch (UnsatisfiedLinkError e) {
      // A JDK without windows has no library for displays.
    }
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
    show("fonts", Desktop::draw);
    show("logger", () -> before == Logger.getLogger("kinds.desktop"));
  }
}
