package io.syncguard;

import io.syncguard.spi.TimeSource;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link SyncGuard} behaves, whatever its store. Immutable; start from {@link #defaults()}.
 */
public final class GuardOptions {

  /** How long closing a handle tries to release its lock unless told otherwise. */
  public static final Duration DEFAULT_DISPOSE_TIMEOUT = Duration.ofSeconds(5);

  /** How long closing a guard lets holders go on unless told otherwise. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private static final GuardOptions DEFAULTS =
      new GuardOptions(
          null,
          ReleaseErrorHandler.logging(),
          DEFAULT_DISPOSE_TIMEOUT,
          DEFAULT_CLOSE_TIMEOUT,
          null,
          TimeSource.system());

  private final @Nullable Telemetry telemetry;
  private final ReleaseErrorHandler onReleaseError;
  private final Duration disposeTimeout;
  private final @Nullable Duration closeTimeout;
  private final @Nullable Executor executor;
  private final TimeSource timeSource;

  private GuardOptions(
      @Nullable Telemetry telemetry,
      ReleaseErrorHandler onReleaseError,
      Duration disposeTimeout,
      @Nullable Duration closeTimeout,
      @Nullable Executor executor,
      TimeSource timeSource) {
    this.telemetry = telemetry;
    this.onReleaseError = onReleaseError;
    this.disposeTimeout = disposeTimeout;
    this.closeTimeout = closeTimeout;
    this.executor = executor;
    this.timeSource = timeSource;
  }

  /**
   * Returns: no telemetry, release errors logged, 5 s to release on closing, 5 s for tasks to end
   * when the guard is closed, continuations in threads of the library's own, the machine's time.
   */
  public static GuardOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with what happens reported. */
  public GuardOptions withTelemetry(Telemetry telemetry) {
    return new GuardOptions(
        telemetry, onReleaseError, disposeTimeout, closeTimeout, executor, timeSource);
  }

  /**
   * Returns these options with another handler to tell when a lock or permit could not be released.
   */
  public GuardOptions withOnReleaseError(ReleaseErrorHandler onReleaseError) {
    return new GuardOptions(
        telemetry, onReleaseError, disposeTimeout, closeTimeout, executor, timeSource);
  }

  /** Returns these options with another time for releasing a lock, retries included. */
  public GuardOptions withDisposeTimeout(Duration disposeTimeout) {
    if (disposeTimeout.isNegative() || disposeTimeout.isZero()) {
      throw SyncGuardException.invalidArgument(
          "The dispose timeout must be positive, not " + disposeTimeout);
    }
    return new GuardOptions(
        telemetry, onReleaseError, disposeTimeout, closeTimeout, executor, timeSource);
  }

  /**
   * Returns these options with another time that {@link SyncGuard#close} gives the holders of locks
   * and permits to let go by themselves. What is still held then is released. With zero it is
   * released at once.
   */
  public GuardOptions withCloseTimeout(Duration closeTimeout) {
    if (closeTimeout.isNegative()) {
      throw SyncGuardException.invalidArgument(
          "The close timeout must not be negative: " + closeTimeout);
    }
    return new GuardOptions(
        telemetry, onReleaseError, disposeTimeout, closeTimeout, executor, timeSource);
  }

  /**
   * Returns these options with a guard that closes at once and releases nothing: what is held stays
   * so until it expires. For locks that are handed on to another process by their ids.
   */
  public GuardOptions withKeepOnClose() {
    return new GuardOptions(telemetry, onReleaseError, disposeTimeout, null, executor, timeSource);
  }

  /**
   * Returns these options with threads of the user's for the continuations of what the guard hands
   * out: a stage that is not complete when it is returned completes in one of them. They may block.
   * Without an executor they run in daemon threads of the library's own, at most 256 in a process.
   * Should the executor refuse, those are used.
   *
   * @param executor must not run tasks in the thread that hands them over: that may be one that the
   *     guard depends on
   */
  public GuardOptions withExecutor(Executor executor) {
    return new GuardOptions(
        telemetry, onReleaseError, disposeTimeout, closeTimeout, executor, timeSource);
  }

  /** Returns these options with time that a test can move. */
  public GuardOptions withTimeSource(TimeSource timeSource) {
    return new GuardOptions(
        telemetry, onReleaseError, disposeTimeout, closeTimeout, executor, timeSource);
  }

  /** Returns what reports what happens, if anything does. */
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

  /** Returns how long closing lets tasks go on; empty if what they hold is kept. */
  public Optional<Duration> closeTimeout() {
    return Optional.ofNullable(closeTimeout);
  }

  /** Returns where continuations run, if not in threads of the library's own. */
  public Optional<Executor> executor() {
    return Optional.ofNullable(executor);
  }

  /** Returns what time is measured by. */
  public TimeSource timeSource() {
    return timeSource;
  }
}
