package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.AsyncLimitBackend;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The operations on counters and rate limiters, each a key of its own. */
final class AsyncRedisLimits implements AsyncLimitBackend {

  private final KeyScripts scripts;
  private final LimitLayout layout;

  AsyncRedisLimits(KeyScripts scripts, LimitLayout layout) {
    this.scripts = scripts;
    this.layout = layout;
  }

  @Override
  public CompletionStage<CounterResult> increment(CountRequest request, CancelSignal signal) {
    return scripts.run(
        Script.COUNTER_INCREMENT,
        counter(request.key()),
        List.of(Long.toString(request.max()), Long.toString(request.window().toMillis())),
        answer -> counted(request, KeyScripts.list(answer)),
        signal);
  }

  private static CounterResult counted(CountRequest request, List<?> fields) {
    long count = Long.parseLong((String) fields.get(0));
    Instant resetAt = instant((String) fields.get(1));
    return count == 0
        ? new CounterResult.LimitReached(resetAt)
        : new CounterResult.Counted(count, request.max() - count, resetAt);
  }

  @Override
  public CompletionStage<Optional<CounterState>> current(ResourceKey key, CancelSignal signal) {
    return scripts.run(
        Script.COUNTER_CURRENT, counter(key), List.of(), AsyncRedisLimits::state, signal);
  }

  private static Optional<CounterState> state(@Nullable Object answer) {
    if (answer == null) {
      return Optional.empty();
    }
    List<?> fields = KeyScripts.list(answer);
    String ends = (String) fields.get(1);
    return Optional.of(
        new CounterState(
            Long.parseLong((String) fields.get(0)), ends.isEmpty() ? Instant.MAX : instant(ends)));
  }

  @Override
  public CompletionStage<Boolean> reset(ResourceKey key, CancelSignal signal) {
    return scripts.delete(counter(key), signal);
  }

  @Override
  public CompletionStage<RateDecision> acquire(RateRequest request, CancelSignal signal) {
    return scripts.runWithin(
        request.timeout(),
        Script.RATE_ACQUIRE,
        new KeyScripts.Subject(layout.limiter(request.name()), request.context()),
        List.of(Long.toString(request.cost().toNanos()), Long.toString(request.burst().toNanos())),
        AsyncRedisLimits::decision,
        signal);
  }

  private static RateDecision decision(@Nullable Object answer) {
    long nanos = Long.parseLong(String.valueOf(answer));
    return nanos == 0
        ? new RateDecision.Allowed()
        : new RateDecision.Limited(Duration.ofNanos(nanos));
  }

  private KeyScripts.Subject counter(ResourceKey key) {
    return new KeyScripts.Subject(
        layout.counter(key), new SyncGuardException.Context(key.value(), null));
  }

  private static Instant instant(String millis) {
    return Instant.ofEpochMilli(Long.parseLong(millis));
  }
}
