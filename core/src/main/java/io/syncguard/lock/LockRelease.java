package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.Releases;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** One try to release a lock; what it frees is passed on to this process's waiters. */
final class LockRelease implements Releases.Operation<LockReference, ReleaseResult> {

  private final LockBackend backend;
  private final WaitingLines lines;

  LockRelease(LockBackend backend, WaitingLines lines) {
    this.backend = backend;
    this.lines = lines;
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    return backend.release(lock, timeout);
  }

  @Override
  public CompletionStage<ReleaseResult> releaseAsync(LockReference lock, Duration timeout) {
    return backend.async().release(lock, timeout);
  }

  @Override
  public SyncGuardException.Context context(LockReference lock) {
    return lock.context();
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
