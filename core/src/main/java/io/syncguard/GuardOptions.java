package io.syncguard;

import io.syncguard.lock.ReleaseErrorHandler;
import io.syncguard.spi.TimeSource;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link SyncGuard} behaves, whatever its store. Immutable; start from {@link #defaults()}.
 */
public final class GuardOptions {

  /** How long closing a handle tries to release its lock unless told otherwise. */
  public static final Duration DEFAULT_DISPOSE_TIMEOUT = Duration.ofSeconds(5);

  private static final GuardOptions DEFAULTS =
      new GuardOptions(
          null, ReleaseErrorHandler.logging(), DEFAULT_DISPOSE_TIMEOUT, TimeSource.system());

  private final @Nullable Telemetry telemetry;
  private final ReleaseErrorHandler onReleaseError;
  private final Duration disposeTimeout;
  private final TimeSource timeSource;

  private GuardOptions(
      @Nullable Telemetry telemetry,
      ReleaseErrorHandler onReleaseError,
      Duration disposeTimeout,
      TimeSource timeSource) {
    this.telemetry = telemetry;
    this.onReleaseError = onReleaseError;
    this.disposeTimeout = disposeTimeout;
    this.timeSource = timeSource;
  }

  /**
   * Returns: no telemetry, release errors logged, 5 s to release on closing, the machine's time.
   */
  public static GuardOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with every operation on the store reported. */
  public GuardOptions withTelemetry(Telemetry telemetry) {
    return new GuardOptions(telemetry, onReleaseError, disposeTimeout, timeSource);
  }

  /** Returns these options with somebody else to tell when a lock could not be released. */
  public GuardOptions withOnReleaseError(ReleaseErrorHandler onReleaseError) {
    return new GuardOptions(telemetry, onReleaseError, disposeTimeout, timeSource);
  }

  /** Returns these options with another time for releasing a lock, retries included. */
  public GuardOptions withDisposeTimeout(Duration disposeTimeout) {
    if (disposeTimeout.isNegative() || disposeTimeout.isZero()) {
      throw SyncGuardException.invalidArgument(
          "The dispose timeout must be positive, not " + disposeTimeout);
    }
    return new GuardOptions(telemetry, onReleaseError, disposeTimeout, timeSource);
  }

  /** Returns these options with time that a test can move. */
  public GuardOptions withTimeSource(TimeSource timeSource) {
    return new GuardOptions(telemetry, onReleaseError, disposeTimeout, timeSource);
  }

  /** Returns who is told of every operation, if anybody. */
  public Optional<Telemetry> telemetry() {
    return Optional.ofNullable(telemetry);
  }

  /** Returns who is told when a lock could not be released. */
  public ReleaseErrorHandler onReleaseError() {
    return onReleaseError;
  }

  /** Returns how long to try to release a lock. */
  public Duration disposeTimeout() {
    return disposeTimeout;
  }

  /** Returns what time is measured by. */
  public TimeSource timeSource() {
    return timeSource;
  }
}
