package io.syncguard.internal.lock;

import io.syncguard.Subject;
import io.syncguard.internal.hold.Releases;
import io.syncguard.internal.operation.Operations;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** One try to release a lock; where the store has no queue, this process's waiters look again. */
final class LockRelease implements Releases.Operation<LockReference, ReleaseResult> {

  private final Operations operations;
  private final LocalLines lines;

  LockRelease(Operations operations, LocalLines lines) {
    this.operations = operations;
    this.lines = lines;
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    return operations.await(new LockOperation.Release(lock), Call.ofRelease(timeout));
  }

  @Override
  public CompletionStage<ReleaseResult> releaseAsync(LockReference lock, Duration timeout) {
    return operations.begin(new LockOperation.Release(lock), Call.ofRelease(timeout));
  }

  @Override
  public Subject subject(LockReference lock) {
    return lock.subject();
  }

  @Override
  public boolean isAbsent(ReleaseResult answer) {
    return answer == ReleaseResult.NOT_FOUND;
  }

  @Override
  public ReleaseResult settled(LockReference lock, ReleaseResult answer, boolean inDoubt) {
    if (lock.key() != null) {
      lines.released(lock.key());
    }
    return inDoubt && isAbsent(answer) ? ReleaseResult.RELEASED : answer;
  }
}
