package io.syncguard.redis;

import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.AwaitingSemaphoreBackend;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.Scan;
import java.util.Optional;

/** The semaphores of a Redis store. */
final class RedisSemaphores extends AwaitingSemaphoreBackend {

  private final Connections connections;
  private final SemaphoreLayout layout;
  private final AsyncRedisSemaphores semaphores;

  RedisSemaphores(
      Connections connections, SemaphoreLayout layout, AsyncRedisSemaphores semaphores) {
    super(semaphores);
    this.connections = connections;
    this.layout = layout;
    this.semaphores = semaphores;
  }

  /** A grant is pushed to the waiter's own list, and Redis tells the tracked connection of that. */
  @Override
  public Optional<PermitWatch> watch(PermitReference waiter, Runnable hint) {
    Optional<LockWatch> watch =
        connections.watch(layout.notification(waiter.name(), waiter.id()), hint);
    return watch.map(open -> open::close);
  }

  Scan<SemaphoreStats> scan() {
    return semaphores.scan();
  }
}
