// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleChannelInitializer;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;

/**
 * MapReduce's shuffle service, which by itself listens on all addresses of the machine. Its port is
 * the same after a restart of the NodeManager; two nodes of one machine have two. The setting has a
 * name of its own: MapReduce's would be overridden by MapReduce's defaults, which a NodeManager
 * loads after its own settings, if it loads them.
 */
public final class LoopbackShuffle extends ShuffleHandler {
  private final EventLoopGroup threads = new NioEventLoopGroup(2);
  private int port;

  @Override
  protected void serviceStart() throws Exception {
    userRsrc = new ConcurrentHashMap<>();
    secretManager = new JobTokenSecretManager();
    recover();
    ShuffleChannelHandlerContext context = createHandlerContext();
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(threads)
            .channel(NioServerSocketChannel.class)
            .childHandler(new ShuffleChannelInitializer(context, null));
    Channel channel = bootstrap.bind(address()).sync().channel();
    allChannels.add(channel);
    port = ((InetSocketAddress) channel.localAddress()).getPort();
    context.port = port;
  }

  /** The jobs that the service before it has served; the method is not open to subclasses. */
  private void recover() throws ReflectiveOperationException {
    Method recoverState =
        ShuffleHandler.class.getDeclaredMethod("recoverState", Configuration.class);
    recoverState.setAccessible(true);
    recoverState.invoke(this, getConfig());
  }

  private InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", getConfig().getInt("loopback.shuffle.port", 0));
  }

  @Override
  protected void serviceStop() throws Exception {
    super.serviceStop();
    threads.shutdownGracefully();
  }

  @Override
  public synchronized ByteBuffer getMetaData() {
    try {
      return serializeMetaData(port);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
