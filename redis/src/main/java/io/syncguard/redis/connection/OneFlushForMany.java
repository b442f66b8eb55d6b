package io.syncguard.redis.connection;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Sends the commands of several threads together, instead of one system call per command. A command
 * that comes alone is not delayed; a command that a callback sends goes out when all that has
 * arrived is dealt with.
 */
final class OneFlushForMany implements NettyCustomizer {

  /**
   * Redis answers together what comes together: with more at once, the server and this client would
   * take turns.
   */
  private static final int MOST_AT_ONCE = 4;

  @Override
  public void afterChannelInitialized(Channel channel) {
    channel.pipeline().addFirst(new FlushConsolidationHandler(MOST_AT_ONCE, true));
  }
}
