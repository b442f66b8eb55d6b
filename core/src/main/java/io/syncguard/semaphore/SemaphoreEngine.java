package io.syncguard.semaphore;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Gate;
import io.syncguard.internal.Releases;
import io.syncguard.lock.ReleaseErrorHandler;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the semaphores of one guard have in common: the backend, time, heartbeats and releases. */
final class SemaphoreEngine {

  static final Logger LOG = LoggerFactory.getLogger(Semaphores.class);

  private final SemaphoreBackend backend;
  private final TimeSource time;
  private final ReleaseErrorHandler onReleaseError;
  private final Gate gate = new Gate();
  private final Heartbeats heartbeats;
  private final Releases<PermitReference, PermitReleaseResult> releases;

  SemaphoreEngine(SemaphoreBackend backend, GuardOptions options) {
    this.backend = backend;
    this.time = options.timeSource();
    this.onReleaseError = options.onReleaseError();
    this.heartbeats = new Heartbeats(backend, time);
    this.releases =
        new Releases<>(
            new PermitRelease(backend, heartbeats), time, options.disposeTimeout(), gate);
  }

  SemaphoreBackend backend() {
    return backend;
  }

  TimeSource time() {
    return time;
  }

  ReleaseErrorHandler onReleaseError() {
    return onReleaseError;
  }

  Gate gate() {
    return gate;
  }

  Heartbeats heartbeats() {
    return heartbeats;
  }

  Releases<PermitReference, PermitReleaseResult> releases() {
    return releases;
  }

  Permit permit(
      PermitReference reference,
      SemaphoreOptions options,
      PermitAttempt.Held held,
      long requestedAt) {
    Permit permit = new Permit(this, reference, options, held, requestedAt);
    permit.startBeating();
    return permit;
  }

  /** Returns what an attempt that does not wait comes to. */
  Optional<Permit> result(
      PermitAttempt attempt, PermitReference reference, Terms terms, long requestedAt) {
    if (attempt instanceof PermitAttempt.Held held) {
      return Optional.of(permit(reference, terms.options(), held, requestedAt));
    }
    if (attempt instanceof PermitAttempt.LimitDiffers differs) {
      throw terms.limitDiffers(differs.limit());
    }
    return Optional.empty();
  }

  /** Returns what to fail with when a single attempt failed, and frees what it may have left. */
  SyncGuardException abandon(Throwable thrown, PermitReference permit, Duration life) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, permit.context());
    if (failure.isOutcomeUnknown()) {
      releases.afterAbandonedAcquisition(permit, life);
    }
    return failure;
  }

  /**
   * Ends waiting and background work; permits that are held are lost when heartbeats are missed.
   */
  void close() {
    gate.close();
    heartbeats.close();
  }
}
