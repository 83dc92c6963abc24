// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.util.Collection;
import java.util.Map;

/** Who has opened the image of the JDK. */
public class Images extends Kind {
  private static void open() throws Exception {
    var files = FileSystems.getFileSystem(URI.create("jrt:/"));
    Files.size(files.getPath("/modules/java.base/java/lang/Object.class"));
  }

  @Override
  protected void dirty() throws Exception {
    open();
  }

  @Override
  protected void probe() throws Exception {
    open();
    Class<?> shared = Class.forName("jdk.internal.jimage.ImageReader$SharedImageReader");
    Field images = shared.getDeclaredField("OPEN_FILES");
    Field openers = shared.getDeclaredField("openers");
    images.setAccessible(true);
    openers.setAccessible(true);
    for (Object image : ((Map<?, ?>) images.get(null)).values()) {
      show("openers", () -> ((Collection<?>) openers.get(image)).size());
    }
  }
}
