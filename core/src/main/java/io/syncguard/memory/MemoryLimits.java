package io.syncguard.memory;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.limit.LimitBackend;
import io.syncguard.spi.limit.LimitOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Counters and rate limiters in maps. Each operation is one atomic step on its key's entry. */
final class MemoryLimits extends MemoryPart implements LimitBackend {

  private record Window(long count, long resetAtMs) {

    boolean isOverAt(long nowMs) {
      return nowMs >= resetAtMs;
    }

    CounterState state() {
      return new CounterState(count, Instant.ofEpochMilli(resetAtMs));
    }
  }

  private final ConcurrentHashMap<ResourceKey, Window> windows = new ConcurrentHashMap<>();

  /** Until when each limiter is ahead of the clock, in nanoseconds of the store's clock. */
  private final ConcurrentHashMap<ResourceKey, Long> arrivals = new ConcurrentHashMap<>();

  MemoryLimits(StoreClock clock) {
    super(clock);
  }

  @Override
  public CompletionStage<CounterResult> increment(LimitOperation.Increment increment, Call call) {
    begin(call.signal());
    Counting counting = new Counting(increment);
    windows.compute(increment.key(), (key, present) -> counting.count(present));
    sweepLater();
    return completedFuture(counting.result());
  }

  /** One increment of an entry that may be there. */
  private final class Counting {

    private final LimitOperation.Increment increment;
    private @Nullable CounterResult result;

    Counting(LimitOperation.Increment increment) {
      this.increment = increment;
    }

    Window count(@Nullable Window present) {
      long nowMs = clock.nowMs();
      Window window =
          present == null || present.isOverAt(nowMs)
              ? new Window(0, nowMs + increment.window().toMillis())
              : present;
      Instant resetAt = Instant.ofEpochMilli(window.resetAtMs());
      if (window.count() >= increment.max()) {
        result = new CounterResult.LimitReached(resetAt);
        return window;
      }
      long count = window.count() + 1;
      result = new CounterResult.Counted(count, increment.max() - count, resetAt);
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
  public CompletionStage<Optional<CounterState>> current(
      LimitOperation.Current question, Call call) {
    begin(call.signal());
    return completedFuture(
        Optional.ofNullable(windows.get(question.key()))
            .filter(window -> !window.isOverAt(clock.nowMs()))
            .map(Window::state));
  }

  @Override
  public CompletionStage<Boolean> reset(LimitOperation.Reset reset, Call call) {
    begin(call.signal());
    Window window = windows.remove(reset.key());
    return completedFuture(window != null && !window.isOverAt(clock.nowMs()));
  }

  @Override
  public CompletionStage<RateDecision> take(LimitOperation.Take take, Call call) {
    begin(call.signal());
    Deciding deciding = new Deciding(take);
    arrivals.compute(take.name(), (name, present) -> deciding.decide(present));
    sweepLater();
    return completedFuture(deciding.decision);
  }

  /** One decision of a limiter that may be unused. */
  private final class Deciding {

    private final LimitOperation.Take take;
    private RateDecision decision = new RateDecision.Allowed();

    Deciding(LimitOperation.Take take) {
      this.take = take;
    }

    Long decide(@Nullable Long present) {
      long now = clock.nowNanos();
      long burst = take.burst().toNanos();
      long ahead = present == null ? 0 : Math.min(Math.max(0, present - now), burst);
      long wanted = ahead + take.cost().toNanos();
      if (wanted > burst) {
        decision = new RateDecision.Limited(Duration.ofNanos(wanted - burst));
        return now + ahead;
      }
      return now + wanted;
    }
  }

  @Override
  boolean sweep() {
    long nowMs = clock.nowMs();
    long nowNanos = clock.nowNanos();
    windows.values().removeIf(window -> window.isOverAt(nowMs));
    arrivals.values().removeIf(arrival -> arrival <= nowNanos);
    return !windows.isEmpty() || !arrivals.isEmpty();
  }

  @Override
  int size() {
    return windows.size() + arrivals.size();
  }

  @Override
  void clear() {
    windows.clear();
    arrivals.clear();
  }
}
