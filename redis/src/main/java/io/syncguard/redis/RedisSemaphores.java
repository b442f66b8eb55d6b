package io.syncguard.redis;

import io.syncguard.spi.AwaitingSemaphoreBackend;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitWatch;
import java.util.Optional;

/** The semaphores of a Redis store. */
final class RedisSemaphores extends AwaitingSemaphoreBackend {

  private final Connections connections;
  private final SemaphoreLayout layout;
  private final Heirs heirs;

  RedisSemaphores(Connections connections, SemaphoreLayout layout, RedisOptions options) {
    this(connections, layout, new Heirs(), options);
  }

  private RedisSemaphores(
      Connections connections, SemaphoreLayout layout, Heirs heirs, RedisOptions options) {
    super(new AsyncRedisSemaphores(connections, layout, heirs, options));
    this.connections = connections;
    this.layout = layout;
    this.heirs = heirs;
  }

  /** A grant is pushed to the waiter's own list, and Redis tells the tracked connection of that. */
  @Override
  public Optional<PermitWatch> watch(PermitReference waiter, Runnable hint) {
    Optional<LockWatch> watch =
        connections.watch(layout.notification(waiter.name(), waiter.id()), hint);
    return watch.map(
        open -> {
          PermitWatch heir = heirs.watch(waiter, hint);
          return () -> {
            heir.close();
            open.close();
          };
        });
  }
}
