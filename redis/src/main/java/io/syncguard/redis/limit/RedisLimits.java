package io.syncguard.redis.limit;

import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptAnswer;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.limit.LimitBackend;
import io.syncguard.spi.limit.LimitOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The operations on counters and rate limiters, each a key of its own, so that any slot of a
 * cluster will do. The keys are below {@code prefix:id:}, where no user's lock can be, and where a
 * lock's index key has no colon.
 */
public final class RedisLimits implements LimitBackend {

  private final ScriptRunner runner;
  private final String counters;
  private final String limiters;

  /** Asks nothing yet. */
  public RedisLimits(ScriptRunner runner, String keyPrefix) {
    this.runner = runner;
    this.counters = keyPrefix + ":id:count:";
    this.limiters = keyPrefix + ":id:rate:";
  }

  private String counter(ResourceKey key) {
    return counters + key.value();
  }

  @Override
  public CompletionStage<CounterResult> increment(LimitOperation.Increment increment, Call call) {
    List<String> arguments =
        List.of(Long.toString(increment.max()), Long.toString(increment.window().toMillis()));
    return runner.run(
        new ScriptCall(RedisScript.COUNTER_INCREMENT, List.of(counter(increment.key())), arguments),
        answer -> counted(increment.max(), ScriptAnswer.list(answer)),
        increment.subject(),
        call);
  }

  private static CounterResult counted(long max, List<?> fields) {
    long count = Long.parseLong((String) fields.get(0));
    Instant resetAt = instant((String) fields.get(1));
    return count == 0
        ? new CounterResult.LimitReached(resetAt)
        : new CounterResult.Counted(count, max - count, resetAt);
  }

  @Override
  public CompletionStage<Optional<CounterState>> current(
      LimitOperation.Current question, Call call) {
    return runner.run(
        new ScriptCall(RedisScript.COUNTER_CURRENT, counter(question.key())),
        RedisLimits::state,
        question.subject(),
        call);
  }

  private static Optional<CounterState> state(@Nullable Object answer) {
    if (answer == null) {
      return Optional.empty();
    }
    List<?> fields = ScriptAnswer.list(answer);
    String ends = (String) fields.get(1);
    return Optional.of(
        new CounterState(
            Long.parseLong((String) fields.get(0)), ends.isEmpty() ? Instant.MAX : instant(ends)));
  }

  private static Instant instant(String millis) {
    return Instant.ofEpochMilli(Long.parseLong(millis));
  }

  @Override
  public CompletionStage<Boolean> reset(LimitOperation.Reset reset, Call call) {
    return runner.run(
        new ScriptCall(RedisScript.DELETE, counter(reset.key())),
        answer -> ScriptAnswer.number(answer) == 1,
        reset.subject(),
        call);
  }

  @Override
  public CompletionStage<RateDecision> take(LimitOperation.Take take, Call call) {
    List<String> arguments =
        List.of(Long.toString(take.cost().toNanos()), Long.toString(take.burst().toNanos()));
    return runner.run(
        new ScriptCall(
            RedisScript.RATE_ACQUIRE, List.of(limiters + take.name().value()), arguments),
        RedisLimits::decision,
        take.subject(),
        call);
  }

  private static RateDecision decision(@Nullable Object answer) {
    long nanos = Long.parseLong(String.valueOf(answer));
    return nanos == 0
        ? new RateDecision.Allowed()
        : new RateDecision.Limited(Duration.ofNanos(nanos));
  }
}
