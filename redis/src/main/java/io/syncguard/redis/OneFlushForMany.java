package io.syncguard.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Sends what several threads ask for at the same time in one go, instead of a system call for each
 * command. A command that comes alone is sent as soon as without; one that a callback sends goes
 * out when what has arrived is dealt with.
 */
final class OneFlushForMany implements NettyCustomizer {

  /** Redis answers together what comes together: with more at once, it and we would take turns. */
  private static final int MOST_AT_ONCE = 4;

  @Override
  public void afterChannelInitialized(Channel channel) {
    channel.pipeline().addFirst(new FlushConsolidationHandler(MOST_AT_ONCE, true));
  }
}
