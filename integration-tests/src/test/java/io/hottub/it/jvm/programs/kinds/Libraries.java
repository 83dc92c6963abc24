// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Singletons of the libraries that jobs bring: users, tokens, file systems, loggers, Netty. */
public class Libraries extends Kind {
  private static FileSystem local() throws Exception {
    return FileSystem.get(URI.create("file:///"), new Configuration());
  }

  /** Starts a thread, which waits for events until the run ends. */
  private static String eventLoop(EventLoopGroup group) throws Exception {
    KEPT.add(group);
    return group.submit(() -> Thread.currentThread().getName()).get();
  }

  @Override
  protected void dirty() throws Exception {
    Configuration strict = new Configuration(false);
    strict.set("hadoop.security.auth_to_local", "RULE:[1:dirty]");
    UserGroupInformation.setConfiguration(strict);
    UserGroupInformation user = UserGroupInformation.createRemoteUser("dirty");
    UserGroupInformation.setLoginUser(user);
    user.addToken(new Text("dirty"), new Token<>());
    Configuration.addDefaultResource("dirty.xml");
    FileSystem files = local();
    files.setWorkingDirectory(new Path("/dirty"));
    files.exists(new Path("/"));
    FileSystem.setDefaultUri(strict, "dirty:///");
    Logger.getRootLogger().removeAllAppenders();
    Logger.getRootLogger().setLevel(Level.TRACE);
    MDC.put("dirty", "yes");
    for (int i = 0; i < 20; i++) {
      KEPT.add(PooledByteBufAllocator.DEFAULT.directBuffer(100_000));
    }
    eventLoop(new NioEventLoopGroup(2));
    eventLoop(new EpollEventLoopGroup(2));
  }

  @Override
  @SuppressWarnings("IdentityBinaryExpression") // two calls
  protected void probe() throws Exception {
    show("user", () -> UserGroupInformation.getCurrentUser().getUserName());
    show("tokens", () -> UserGroupInformation.getCurrentUser().getTokens());
    show("secure", UserGroupInformation::isSecurityEnabled);
    show("configuration", () -> new Configuration().get("fs.defaultFS"));
    show("its resources", Configuration::new);
    show("working directory", () -> local().getWorkingDirectory());
    show("statistics", () -> FileSystem.getGlobalStorageStatistics().iterator().hasNext());
    show("cached", () -> local() == local());
    show("level", () -> Logger.getRootLogger().getLevel());
    show("appenders", () -> Logger.getRootLogger().getAllAppenders().hasMoreElements());
    show("logger", () -> LoggerFactory.getLogger("kinds").isTraceEnabled());
    show("context", () -> MDC.get("dirty"));
    show(
        "buffer",
        () -> {
          ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(1000);
          try {
            return buffer.capacity()
                + " "
                + PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
          } finally {
            buffer.release();
          }
        });
    show("event loop", () -> eventLoop(new NioEventLoopGroup(2)));
    show("event loop in native code", () -> eventLoop(new EpollEventLoopGroup(2)));
  }
}
