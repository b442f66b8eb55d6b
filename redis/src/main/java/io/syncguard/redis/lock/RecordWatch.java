package io.syncguard.redis.lock;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.syncguard.redis.connection.Connections;
import io.syncguard.spi.Watch;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Has Redis tell of changes to a lock's record, for the first waiter in a queue: a client that
 * knows no queue releases by deleting the record. Looks at the record through the tracked
 * connection, and again after each change, as Redis tells of one change per look. Thread-safe.
 */
final class RecordWatch implements Watch {

  private final Connections connections;
  private final String lockKey;
  private final Runnable changed;
  private final Runnable gone;
  private final @Nullable Watch watch;

  /**
   * Begins to watch and returns at once. Does nothing where Redis does not tell of changes.
   *
   * @param changed runs when the record may have changed; must not block
   * @param gone runs when there is no record; must not block
   */
  RecordWatch(Connections connections, String lockKey, Runnable changed, Runnable gone) {
    this.connections = connections;
    this.lockKey = lockKey;
    this.changed = changed;
    this.gone = gone;
    this.watch = connections.watch(lockKey, this::told).orElse(null);
    if (watch != null) {
      look();
    }
  }

  private void told() {
    look();
    changed.run();
  }

  private void look() {
    try {
      CompletionStage<Long> records =
          connections
              .watching(lockKey)
              .dispatch(
                  CommandType.EXISTS,
                  new IntegerOutput<>(StringCodec.UTF8),
                  new CommandArgs<>(StringCodec.UTF8).addKey(lockKey));
      records.whenComplete(
          (count, failure) -> {
            if (failure == null && count == 0) {
              gone.run();
            }
          });
    } catch (RuntimeException e) {
      // The connection is lost, or closed: the waiter's next sign of life finds a free lock.
    }
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
