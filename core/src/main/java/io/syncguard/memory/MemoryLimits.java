package io.syncguard.memory;

import io.syncguard.CancelSignal;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.AsyncLimitBackend;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Counters and rate limiters in maps. Each operation is one atomic step on its key's entry. */
final class MemoryLimits implements LimitBackend, Sweeper.Sweepable {

  private record Window(long count, long resetAtMs) {

    boolean isOverAt(long nowMs) {
      return nowMs >= resetAtMs;
    }

    CounterState state() {
      return new CounterState(count, Instant.ofEpochMilli(resetAtMs));
    }
  }

  private final StoreClock clock;
  private final ConcurrentHashMap<ResourceKey, Window> windows = new ConcurrentHashMap<>();

  /** Until when each limiter is ahead of the clock, in nanoseconds of the store's clock. */
  private final ConcurrentHashMap<ResourceKey, Long> arrivals = new ConcurrentHashMap<>();

  private final AsyncLimitBackend async = AsyncLimitBackend.of(this, Runnable::run);
  private final OpenState open = new OpenState();
  private final Sweeper sweeper;

  MemoryLimits(StoreClock clock) {
    this.clock = clock;
    this.sweeper = new Sweeper(clock.time(), this);
  }

  @Override
  public AsyncLimitBackend async() {
    return async;
  }

  @Override
  public CounterResult increment(CountRequest request, CancelSignal signal) {
    open.begin(signal);
    Counting counting = new Counting(request);
    windows.compute(request.key(), (key, present) -> counting.count(present));
    sweeper.start();
    return counting.result();
  }

  /** One increment of an entry that may be there. */
  private final class Counting {

    private final CountRequest request;
    private @Nullable CounterResult result;

    Counting(CountRequest request) {
      this.request = request;
    }

    Window count(@Nullable Window present) {
      long nowMs = clock.nowMs();
      Window window =
          present == null || present.isOverAt(nowMs)
              ? new Window(0, nowMs + request.window().toMillis())
              : present;
      Instant resetAt = Instant.ofEpochMilli(window.resetAtMs());
      if (window.count() >= request.max()) {
        result = new CounterResult.LimitReached(resetAt);
        return window;
      }
      long count = window.count() + 1;
      result = new CounterResult.Counted(count, request.max() - count, resetAt);
      return new Window(count, window.resetAtMs());
    }

    CounterResult result() {
      if (result == null) {
        throw new IllegalStateException("Nothing was counted");
      }
      return result;
    }
  }

  @Override
  public Optional<CounterState> current(ResourceKey key, CancelSignal signal) {
    open.begin(signal);
    return Optional.ofNullable(windows.get(key))
        .filter(window -> !window.isOverAt(clock.nowMs()))
        .map(Window::state);
  }

  @Override
  public boolean reset(ResourceKey key, CancelSignal signal) {
    open.begin(signal);
    Window window = windows.remove(key);
    return window != null && !window.isOverAt(clock.nowMs());
  }

  @Override
  public RateDecision acquire(RateRequest request, CancelSignal signal) {
    open.begin(signal);
    Deciding deciding = new Deciding(request);
    arrivals.compute(request.name(), (name, present) -> deciding.decide(present));
    sweeper.start();
    return deciding.decision;
  }

  /** One decision of a limiter that may be unused. */
  private final class Deciding {

    private final RateRequest request;
    private RateDecision decision = new RateDecision.Allowed();

    Deciding(RateRequest request) {
      this.request = request;
    }

    @Nullable Long decide(@Nullable Long present) {
      long now = clock.nowNanos();
      long burst = request.burst().toNanos();
      long ahead = present == null ? 0 : Math.min(Math.max(0, present - now), burst);
      long wanted = ahead + request.cost().toNanos();
      if (wanted > burst) {
        decision = new RateDecision.Limited(Duration.ofNanos(wanted - burst));
        return now + ahead;
      }
      return now + wanted;
    }
  }

  @Override
  public boolean sweep() {
    long nowMs = clock.nowMs();
    long nowNanos = clock.nowNanos();
    windows.values().removeIf(window -> window.isOverAt(nowMs));
    arrivals.values().removeIf(arrival -> arrival <= nowNanos);
    return !windows.isEmpty() || !arrivals.isEmpty();
  }

  int size() {
    return windows.size() + arrivals.size();
  }

  void close() {
    open.close();
    windows.clear();
    arrivals.clear();
  }
}
