// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.io.FileInputStream;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Open files that something in the JVM holds beyond their run, and that are collected in a later
 * one.
 */
public class Survivors extends Kind {
  private static final int FILES = 20;

  /** More than half of what the test allows. */
  private static final int MEMORY = 30 << 20;

  /**
   * A table of the class library that no run takes back; its image was opened by {@link Images}.
   */
  @SuppressWarnings("unchecked")
  private static Map<Object, Object> table() throws Exception {
    Class<?> shared = Class.forName("jdk.internal.jimage.ImageReader$SharedImageReader");
    Field images = shared.getDeclaredField("OPEN_FILES");
    Field nodes = shared.getDeclaredField("nodes");
    images.setAccessible(true);
    nodes.setAccessible(true);
    Object image = ((Map<?, ?>) images.get(null)).values().iterator().next();
    return (Map<Object, Object>) nodes.get(image);
  }

  private static List<InputStream> open() throws Exception {
    List<InputStream> all = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      all.add(new FileInputStream("/proc/self/status"));
    }
    return all;
  }

  @Override
  protected void dirty() throws Exception {
    table().put("survivors", open());
    table().put("memory", ByteBuffer.allocateDirect(MEMORY));
  }

  @Override
  protected void probe() throws Exception {
    Object memory = table().get("memory");
    show("direct memory", () -> ByteBuffer.allocateDirect(MEMORY).capacity());
    Reference.reachabilityFence(memory);
    table().remove("survivors");
    table().remove("memory");
    List<InputStream> own = open();
    for (int i = 0; i < 10; i++) {
      System.gc();
      Thread.sleep(10);
    }
    show(
        "own files",
        () -> {
          int read = 0;
          for (InputStream in : own) {
            read += in.read() >= 0 ? 1 : 0;
          }
          return read;
        });
  }
}
