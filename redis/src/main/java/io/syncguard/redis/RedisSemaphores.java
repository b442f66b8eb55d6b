package io.syncguard.redis;

import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.AwaitingSemaphoreBackend;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.Scan;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The semaphores of a Redis store. */
final class RedisSemaphores extends AwaitingSemaphoreBackend {

  private static final Duration PATIENCE_ON_CLOSING = Duration.ofMillis(200);

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
    try {
      semaphores
          .forgetWhoLeft()
          .toCompletableFuture()
          .get(PATIENCE_ON_CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // As if the process had been killed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
