// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.mapreduce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapred.TaskAttemptListenerImpl;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;

/** Where tasks report to an application master; by itself it listens on all addresses. */
final class LoopbackListener extends TaskAttemptListenerImpl {
  private final JobTokenSecretManager tokens;
  private RPC.Server server;

  LoopbackListener(
      AppContext context,
      JobTokenSecretManager tokens,
      RMHeartbeatHandler heartbeats,
      AMPreemptionPolicy preemption) {
    super(context, tokens, heartbeats, preemption);
    this.tokens = tokens;
  }

  @Override
  protected void startRpcServer() {
    try {
      server =
          new RPC.Builder(getConfig())
              .setProtocol(TaskUmbilicalProtocol.class)
              .setInstance(this)
              .setBindAddress(InetAddress.getLoopbackAddress().getHostAddress())
              .setPort(0)
              .setNumHandlers(2)
              .setSecretManager(tokens)
              .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.start();
  }

  @Override
  protected void stopRpcServer() {
    if (server != null) {
      server.stop();
    }
  }

  @Override
  public InetSocketAddress getAddress() {
    return server.getListenerAddress();
  }
}
