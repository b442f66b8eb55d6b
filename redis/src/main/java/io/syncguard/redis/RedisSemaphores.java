package io.syncguard.redis;

import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.AwaitingSemaphoreBackend;
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

  /**
   * A grant is published to this process, or pushed to the waiter's own list, and Redis tells the
   * tracked connection of that. Whoever gets a slot at once needs neither.
   */
  @Override
  public Optional<PermitWatch> watch(PermitReference waiter, Runnable hint) {
    return connections.tellsOfChanges()
        ? Optional.of(
            semaphores
                .heirs()
                .watch(
                    waiter,
                    hint,
                    () -> connections.watch(layout.notification(waiter.name(), waiter.id()), hint)))
        : Optional.empty();
  }

  Scan<SemaphoreStats> scan() {
    return semaphores.scan();
  }

  /** Blocks while it tidies up in Redis, but not for long: what stays there does no harm. */
  void close() {
    Connections.letEndSoon(semaphores.forgetWhoLeft());
  }
}
