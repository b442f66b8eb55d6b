package io.syncguard.internal.semaphore;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.Optional;

/** What all views of one semaphore share: its name, its limit, which may change, its options. */
final class Terms {

  private final ResourceKey name;
  private final SemaphoreOptions options;
  private volatile int limit;

  Terms(ResourceKey name, int limit, SemaphoreOptions options) {
    this.name = name;
    this.options = options;
    this.limit = checkedLimit(limit);
  }

  static int checkedLimit(int limit) {
    if (limit < 1) {
      throw SyncGuardException.invalidArgument(
          "A semaphore's limit must be at least 1, not " + limit);
    }
    return limit;
  }

  ResourceKey name() {
    return name;
  }

  SemaphoreOptions options() {
    return options;
  }

  int limit() {
    return limit;
  }

  void resized(int newLimit) {
    limit = newLimit;
  }

  /** Returns what to ask for. */
  SemaphoreOperation.Acquire request(PermitReference permit, boolean waits, boolean watched) {
    return new SemaphoreOperation.Acquire(
        permit, limit, options.ttl(), options.heartbeatTimeout(), waits, watched);
  }

  /** Returns a single attempt of a new permit. */
  SemaphoreOperation.Acquire newAttempt() {
    return request(new PermitReference(name, PermitId.random()), false, false);
  }

  Subject subject() {
    return Subject.ofSemaphore(name.value(), null);
  }

  /** Returns what the store knows, or what holds for a name that is not in use. */
  SemaphoreStats orUnused(Optional<SemaphoreStats> known) {
    return known.orElseGet(() -> new SemaphoreStats(name.value(), 0, limit, 0, Duration.ZERO));
  }

  SyncGuardException limitDiffers(int inUse) {
    return new SyncGuardException(
        Code.INVALID_ARGUMENT,
        "The semaphore "
            + name.label()
            + " is in use with the limit "
            + inUse
            + ", not "
            + limit
            + "; use the same limit everywhere, or change it with resize",
        subject(),
        null);
  }
}
