package io.syncguard.telemetry;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes events from operations without delay, and makes and delivers them in a daemon thread. */
final class EventQueue {

  private static final Logger log = LoggerFactory.getLogger(Telemetry.class);
  private static final int CAPACITY = 8192;
  private static final Duration IDLE_THREAD_LIVES = Duration.ofSeconds(10);

  private final LockListener listener;
  private final Predicate<LockEvent> includeRaw;
  private final AtomicLong dropped = new AtomicLong();
  private final ThreadPoolExecutor executor;

  EventQueue(LockListener listener, Predicate<LockEvent> includeRaw) {
    this.listener = listener;
    this.includeRaw = includeRaw;
    this.executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_THREAD_LIVES.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(CAPACITY),
            task -> {
              Thread thread = new Thread(task, "syncguard-telemetry");
              thread.setDaemon(true);
              return thread;
            },
            (task, full) -> dropped.incrementAndGet());
    executor.allowCoreThreadTimeOut(true);
  }

  /** An operation under way. */
  Operation begin(LockEvent.Type type, @Nullable ResourceKey key, @Nullable LockId lockId) {
    return new Operation(type, key, lockId, System.nanoTime());
  }

  final class Operation {

    private final LockEvent.Type type;
    private final @Nullable ResourceKey key;
    private final @Nullable LockId lockId;
    private final long startedAt;

    private Operation(
        LockEvent.Type type, @Nullable ResourceKey key, @Nullable LockId lockId, long startedAt) {
      this.type = type;
      this.key = key;
      this.lockId = lockId;
      this.startedAt = startedAt;
    }

    void succeeded() {
      report(LockEvent.Result.OK, null, null);
    }

    void failed(LockEvent.@Nullable Reason reason) {
      report(LockEvent.Result.FAIL, reason, null);
    }

    void threw(Throwable failure) {
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      report(
          LockEvent.Result.FAIL,
          null,
          cause instanceof SyncGuardException e ? e.code() : SyncGuardException.Code.INTERNAL);
    }

    private void report(
        LockEvent.Result result,
        LockEvent.@Nullable Reason reason,
        SyncGuardException.@Nullable Code errorCode) {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - startedAt);
      executor.execute(() -> deliver(result, reason, errorCode, elapsed));
    }

    private void deliver(
        LockEvent.Result result,
        LockEvent.@Nullable Reason reason,
        SyncGuardException.@Nullable Code errorCode,
        Duration elapsed) {
      long lost = dropped.getAndSet(0);
      if (lost > 0) {
        log.warn("The telemetry listener is too slow: {} events were dropped", lost);
      }
      try {
        LockEvent event =
            new LockEvent(
                type,
                result,
                reason,
                errorCode,
                elapsed,
                key == null ? null : key.hash(),
                lockId == null ? null : lockId.hash(),
                null,
                null);
        listener.onEvent(mayShowRaw(event) ? raw(event) : event);
      } catch (RuntimeException | Error e) {
        log.warn("The telemetry listener failed", e);
      }
    }

    private LockEvent raw(LockEvent event) {
      return event.withRaw(
          key == null ? null : key.value(), lockId == null ? null : lockId.value());
    }
  }

  private boolean mayShowRaw(LockEvent event) {
    try {
      return includeRaw.test(event);
    } catch (RuntimeException e) {
      log.warn("The includeRaw predicate failed, so nothing raw is shown", e);
      return false;
    }
  }
}
