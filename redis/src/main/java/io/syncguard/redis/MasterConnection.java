package io.syncguard.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.SocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A connection that has to lead to the master. A master that becomes a replica keeps its clients,
 * and Lettuce asks where the master is only when it connects. Thread-safe.
 */
final class MasterConnection implements RedisConnectionStateListener {

  private final StatefulRedisConnection<String, String> connection;
  private final AtomicBoolean leaving = new AtomicBoolean();

  private MasterConnection(StatefulRedisConnection<String, String> connection) {
    this.connection = connection;
  }

  static MasterConnection over(StatefulRedisConnection<String, String> connection) {
    MasterConnection master = new MasterConnection(connection);
    connection.addListener(master);
    return master;
  }

  /**
   * Has the server end the connection, so that it is opened anew; returns at once. Once for each
   * connection, however many answers say that this is a replica: all of them come before its end.
   * Not with a client of the caller's own that would not open it again.
   */
  void leaveReplica() {
    if (connection.getOptions().isAutoReconnect() && leaving.compareAndSet(false, true)) {
      CompletionStage<String> quitting = connection.async().quit();
      quitting.whenComplete(
          (ok, failure) -> {
            if (failure != null) {
              leaving.set(false);
            }
          });
    }
  }

  @Override
  public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
    leaving.set(false);
  }
}
