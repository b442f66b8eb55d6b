package io.syncguard.semaphore;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.Releases;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.SemaphoreBackend;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * One try to give up a permit; this process's waiters look again if the store tells them nothing.
 */
final class PermitRelease implements Releases.Operation<PermitReference, PermitReleaseResult> {

  private final SemaphoreBackend backend;
  private final Heartbeats heartbeats;

  PermitRelease(SemaphoreBackend backend, Heartbeats heartbeats) {
    this.backend = backend;
    this.heartbeats = heartbeats;
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    return backend.release(permit, timeout);
  }

  @Override
  public CompletionStage<PermitReleaseResult> releaseAsync(
      PermitReference permit, Duration timeout) {
    return backend.async().release(permit, timeout);
  }

  @Override
  public SyncGuardException.Context context(PermitReference permit) {
    return permit.context();
  }

  @Override
  public boolean isAbsent(PermitReleaseResult answer) {
    return answer == PermitReleaseResult.NOT_FOUND;
  }

  @Override
  public PermitReleaseResult settled(
      PermitReference permit, PermitReleaseResult answer, boolean inDoubt) {
    heartbeats.beatNow(permit.name());
    return inDoubt && isAbsent(answer) ? PermitReleaseResult.RELEASED : answer;
  }
}
