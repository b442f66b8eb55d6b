package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How to wait for a lock and how to hold it. Immutable; start from {@link #defaults()}. */
public final class LockOptions {

  /** How long a lock lives unless told otherwise. */
  public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

  /** How long an acquisition waits unless told otherwise. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  private static final LockOptions DEFAULTS =
      new LockOptions(DEFAULT_TTL, DEFAULT_TIMEOUT, RetryPolicy.DEFAULT, null, false, null);

  private final Duration ttl;
  private final Duration timeout;
  private final RetryPolicy retry;
  private final @Nullable Duration autoExtendUpTo;
  private final boolean interruptOnLoss;
  private final @Nullable ReleaseErrorHandler onReleaseError;

  private LockOptions(
      Duration ttl,
      Duration timeout,
      RetryPolicy retry,
      @Nullable Duration autoExtendUpTo,
      boolean interruptOnLoss,
      @Nullable ReleaseErrorHandler onReleaseError) {
    this.ttl = ttl;
    this.timeout = timeout;
    this.retry = retry;
    this.autoExtendUpTo = autoExtendUpTo;
    this.interruptOnLoss = interruptOnLoss;
    this.onReleaseError = onReleaseError;
  }

  /** Returns: live 30 s, wait 5 s, ask again as {@link RetryPolicy#DEFAULT} says. */
  public static LockOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with another lifetime; at least a millisecond. */
  public LockOptions withTtl(Duration ttl) {
    return new LockOptions(
        Ttl.check(ttl), timeout, retry, autoExtendUpTo, interruptOnLoss, onReleaseError);
  }

  /** Returns these options with another time to wait; zero means a single attempt. */
  public LockOptions withTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw SyncGuardException.invalidArgument("A timeout must not be negative: " + timeout);
    }
    return new LockOptions(ttl, timeout, retry, autoExtendUpTo, interruptOnLoss, onReleaseError);
  }

  /** Returns these options with another way to ask again. */
  public LockOptions withRetry(RetryPolicy retry) {
    return new LockOptions(ttl, timeout, retry, autoExtendUpTo, interruptOnLoss, onReleaseError);
  }

  /**
   * Returns these options with the lock being extended for as long as it is held, but not beyond
   * this time since it was acquired.
   */
  public LockOptions withAutoExtend(Duration maxHold) {
    return new LockOptions(
        ttl, timeout, retry, Ttl.check(maxHold), interruptOnLoss, onReleaseError);
  }

  /** Returns these options with the thread that runs the guarded code interrupted on loss. */
  public LockOptions withInterruptOnLoss() {
    return new LockOptions(ttl, timeout, retry, autoExtendUpTo, true, onReleaseError);
  }

  /** Returns these options with somebody to tell when the lock could not be released. */
  public LockOptions withOnReleaseError(ReleaseErrorHandler handler) {
    return new LockOptions(ttl, timeout, retry, autoExtendUpTo, interruptOnLoss, handler);
  }

  /** Returns how long the lock lives. */
  public Duration ttl() {
    return ttl;
  }

  /** Returns how long to wait. */
  public Duration timeout() {
    return timeout;
  }

  /** Returns how to ask again. */
  public RetryPolicy retry() {
    return retry;
  }

  /** Returns the longest time the lock may be held by auto-extension, if that is on. */
  public Optional<Duration> autoExtend() {
    return Optional.ofNullable(autoExtendUpTo);
  }

  /** Returns whether the thread that runs the guarded code is interrupted on loss. */
  public boolean interruptOnLoss() {
    return interruptOnLoss;
  }

  /** Returns whom to tell when the lock could not be released, if not the guard's own handler. */
  public Optional<ReleaseErrorHandler> onReleaseError() {
    return Optional.ofNullable(onReleaseError);
  }
}
