package io.syncguard.lock;

import io.syncguard.ReleaseErrorHandler;
import io.syncguard.internal.Lifetime;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How to wait for a lock and how to hold it. Immutable; start from {@link #defaults()}. */
public final class LockOptions {

  /** How long a lock lives unless told otherwise. */
  public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

  /** How long an acquisition waits unless told otherwise. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  /** How long {@code run} and {@code call} extend a lock unless told otherwise. */
  public static final Duration DEFAULT_MAX_HOLD = Duration.ofMinutes(10);

  private static final LockOptions DEFAULTS =
      new LockOptions(DEFAULT_TTL, DEFAULT_TIMEOUT, null, null, false, false, null);

  private final Duration ttl;
  private final Duration maxWait;
  private final @Nullable RetryPolicy retry;
  private final @Nullable Duration maxHold;
  private final boolean fixedLease;
  private final boolean interruptOnLoss;
  private final @Nullable ReleaseErrorHandler onReleaseError;

  private LockOptions(
      Duration ttl,
      Duration maxWait,
      @Nullable RetryPolicy retry,
      @Nullable Duration maxHold,
      boolean fixedLease,
      boolean interruptOnLoss,
      @Nullable ReleaseErrorHandler onReleaseError) {
    this.ttl = ttl;
    this.maxWait = maxWait;
    this.retry = retry;
    this.maxHold = maxHold;
    this.fixedLease = fixedLease;
    this.interruptOnLoss = interruptOnLoss;
    this.onReleaseError = onReleaseError;
  }

  /**
   * Returns: live 30 s, wait 5 s, ask again as {@link RetryPolicy#defaults} says, extend for as
   * long as a task runs, up to 10 min.
   */
  public static LockOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with another lifetime; at least a millisecond. */
  public LockOptions withTtl(Duration ttl) {
    return new LockOptions(
        Lifetime.check("A lock's lifetime", ttl),
        maxWait,
        retry,
        maxHold,
        fixedLease,
        interruptOnLoss,
        onReleaseError);
  }

  /**
   * Returns these options with another time to wait; zero means a single attempt. It is waited out,
   * unless {@link #withRetry} limits the retries.
   */
  public LockOptions withMaxWait(Duration maxWait) {
    return new LockOptions(
        ttl,
        Lifetime.checkWait(maxWait),
        retry,
        maxHold,
        fixedLease,
        interruptOnLoss,
        onReleaseError);
  }

  /**
   * Returns these options with another way to ask again, and with its limit: a wait also ends when
   * its retries are used up. See {@link RetryPolicy} for what counts as one.
   */
  public LockOptions withRetry(RetryPolicy retry) {
    return new LockOptions(
        ttl, maxWait, retry, maxHold, fixedLease, interruptOnLoss, onReleaseError);
  }

  /**
   * Returns these options with the lock being extended for as long as it is held, but not beyond
   * this time since it was acquired. For {@code run} and {@code call} this sets the limit, which is
   * 10 min otherwise, or the ttl if that is longer; for {@code lock} it also turns extension on.
   */
  public LockOptions withAutoExtend(Duration maxHold) {
    return new LockOptions(
        ttl,
        maxWait,
        retry,
        Lifetime.check("The time to hold a lock", maxHold),
        false,
        interruptOnLoss,
        onReleaseError);
  }

  /** Returns these options with the lock not being extended, so that it is lost after its ttl. */
  public LockOptions withFixedLease() {
    return new LockOptions(ttl, maxWait, retry, null, true, interruptOnLoss, onReleaseError);
  }

  /** Returns these options with the thread that runs the guarded code interrupted on loss. */
  public LockOptions withInterruptOnLoss() {
    return new LockOptions(ttl, maxWait, retry, maxHold, fixedLease, true, onReleaseError);
  }

  /** Returns these options with a handler to tell when the lock could not be released. */
  public LockOptions withOnReleaseError(ReleaseErrorHandler handler) {
    return new LockOptions(ttl, maxWait, retry, maxHold, fixedLease, interruptOnLoss, handler);
  }

  /** Returns how long the lock lives. */
  public Duration ttl() {
    return ttl;
  }

  /** Returns how long to wait. */
  public Duration maxWait() {
    return maxWait;
  }

  /** Returns how to ask again. */
  public RetryPolicy retry() {
    return retry == null ? RetryPolicy.defaults() : retry;
  }

  /** Returns how many retries end a wait; empty unless {@link #withRetry} was used. */
  public OptionalInt mostRetries() {
    return retry == null ? OptionalInt.empty() : OptionalInt.of(retry.maxRetries());
  }

  /** Returns the longest time the lock may be held by auto-extension, if that was asked for. */
  public Optional<Duration> autoExtend() {
    return Optional.ofNullable(maxHold);
  }

  /** Returns whether the lock is not extended while a task runs under it. */
  public boolean isFixedLease() {
    return fixedLease;
  }

  /** Returns whether the thread that runs the guarded code is interrupted on loss. */
  public boolean interruptOnLoss() {
    return interruptOnLoss;
  }

  /**
   * Returns the handler to tell when the lock could not be released, if not the guard's own
   * handler.
   */
  public Optional<ReleaseErrorHandler> onReleaseError() {
    return Optional.ofNullable(onReleaseError);
  }
}
