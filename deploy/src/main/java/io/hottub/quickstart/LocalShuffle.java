// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import java.nio.ByteBuffer;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;

/**
 * Stands for MapReduce's ShuffleHandler in a cluster of one node. Tez wants a service of that name
 * and its port; but on one node every fetch is local and reads the file itself
 * (tez.runtime.optimize.local.fetch), and the real handler can only listen on all addresses of the
 * machine, which nothing in this cluster does.
 */
public final class LocalShuffle extends AuxiliaryService {
  /** The port that the real handler has by default; nobody listens on it here. */
  private static final int PORT = 13562;

  public LocalShuffle() {
    super("mapreduce_shuffle");
  }

  @Override
  public void initializeApplication(ApplicationInitializationContext context) {}

  @Override
  public void stopApplication(ApplicationTerminationContext context) {}

  @Override
  public ByteBuffer getMetaData() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(0, PORT);
  }
}
