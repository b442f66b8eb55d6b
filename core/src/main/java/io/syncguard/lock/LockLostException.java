package io.syncguard.lock;

import io.syncguard.KeyHash;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import org.jspecify.annotations.Nullable;

/**
 * A task ran to its end, but its lock was lost before that: another holder may have worked at the
 * same time. The fence tells the resource which one came later. If the task itself failed, its own
 * exception is thrown, with this one among the suppressed.
 */
public final class LockLostException extends SyncGuardException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Object result;

  /** The lock was lost; the task returned this, if anything. */
  public LockLostException(LockHandle lock, @Nullable Object result) {
    super(
        Code.LOCK_LOST,
        "The lock on key "
            + KeyHash.label(lock.key())
            + " with fence "
            + lock.fence()
            + " was lost before its task ended, so another holder may have worked at the same time:"
            + " its time was over, it could not be extended, or it was released elsewhere. Check"
            + " what the task did; for longer tasks see LockOptions.withAutoExtend",
        Subject.ofLock(lock.key(), lock.lockId().value()),
        null);
    this.result = result;
  }

  /**
   * Returns what the task returned, to be cleared up or used with care; null if that is what it
   * returned, if it returns nothing, or if the exception was serialized.
   */
  public @Nullable Object result() {
    return result;
  }
}
