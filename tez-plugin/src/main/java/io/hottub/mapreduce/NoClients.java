// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.mapreduce;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.service.AbstractService;

/** Where clients of an application master would be served. */
final class NoClients extends AbstractService implements ClientService {
  NoClients() {
    super(NoClients.class.getName());
  }

  @Override
  public InetSocketAddress getBindAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  @Override
  public int getHttpPort() {
    return 0;
  }
}
