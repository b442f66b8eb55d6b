package io.syncguard.internal.semaphore;

import io.syncguard.Subject;
import io.syncguard.internal.hold.Releases;
import io.syncguard.internal.operation.Operations;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * One try to give up a permit; this process's waiters look again if the store tells them nothing.
 */
final class PermitRelease implements Releases.Operation<PermitReference, PermitReleaseResult> {

  private final Operations operations;
  private final Heartbeats heartbeats;

  PermitRelease(Operations operations, Heartbeats heartbeats) {
    this.operations = operations;
    this.heartbeats = heartbeats;
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    return operations.await(new SemaphoreOperation.Release(permit), Call.ofRelease(timeout));
  }

  @Override
  public CompletionStage<PermitReleaseResult> releaseAsync(
      PermitReference permit, Duration timeout) {
    return operations.begin(new SemaphoreOperation.Release(permit), Call.ofRelease(timeout));
  }

  @Override
  public Subject subject(PermitReference permit) {
    return permit.subject();
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
