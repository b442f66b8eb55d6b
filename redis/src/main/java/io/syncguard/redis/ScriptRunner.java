package io.syncguard.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.protocol.CommandType;
import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts: by digest, and with the text where Redis does not know the digest (yet, or any
 * more). A store has one, since it bounds what waits for an answer.
 */
final class ScriptRunner {

  /**
   * How many may wait for an answer, those included that were given up and that the driver still
   * keeps: about 50 MB of heap. Far more than a Redis that answers ever lets wait.
   */
  static final int MOST_UNANSWERED = 32_768;

  /** What one of them takes; a command with a large payload counts for several. */
  static final int USUAL_BYTES = 1536;

  private final Connections connections;
  private final Duration timeout;
  private final CommandTimeouts timeouts;
  private final AtomicInteger unanswered = new AtomicInteger();

  ScriptRunner(Connections connections, Duration timeout) {
    this.connections = connections;
    this.timeout = timeout;
    this.timeouts = new CommandTimeouts(timeout);
  }

  /**
   * One run of a script.
   *
   * @param arguments texts and byte arrays
   */
  record Call(Script script, List<String> keys, List<?> arguments) {

    /** For how many it counts. */
    private int weight() {
      long payload = 0;
      for (Object argument : arguments) {
        payload += argument instanceof byte[] bytes ? bytes.length : 0;
      }
      return 1 + (int) (payload / USUAL_BYTES);
    }

    private CallArgs args(String scriptOrDigest) {
      return new CallArgs(scriptOrDigest, keys, arguments);
    }
  }

  /** Returns how long a command may take. */
  Duration timeout() {
    return timeout;
  }

  /** Runs it; the stage fails with what the user sees. */
  <T> CompletionStage<T> run(
      BaseRedisAsyncCommands<String, String> commands,
      Call call,
      Function<@Nullable Object, T> reading,
      SyncGuardException.Context context,
      CancelSignal signal) {
    return runWithin(timeout, commands, call, reading, context, signal);
  }

  /** As {@link #run}, but fails after the limit where that is less than a command may take. */
  <T> CompletionStage<T> runWithin(
      Duration limit,
      BaseRedisAsyncCommands<String, String> commands,
      Call call,
      Function<@Nullable Object, T> reading,
      SyncGuardException.Context context,
      CancelSignal signal) {
    int weight = call.weight();
    if (!admitted(weight)) {
      return refused(context);
    }
    Answer<T> answer = new Answer<>(commands, call, weight, reading, context);
    timeouts.watch(answer);
    if (signal != CancelSignal.never()) {
      answer.cancelBy(signal);
    }
    if (limit.compareTo(timeout) < 0) {
      answer.timeOutAfter(limit);
    }
    answer.ask(CommandType.EVALSHA, call.script().digest());
    return answer.result;
  }

  private boolean admitted(int weight) {
    if (unanswered.addAndGet(weight) <= MOST_UNANSWERED) {
      return true;
    }
    unanswered.addAndGet(-weight);
    return false;
  }

  private static <T> CompletionStage<T> refused(SyncGuardException.Context context) {
    return CompletableFuture.failedFuture(
        new SyncGuardException(
            Code.SERVICE_UNAVAILABLE,
            "Redis has not answered too many commands yet, or too large ones, so this one was not"
                + " sent; see whether Redis hangs",
            context,
            null));
  }

  private final class Answer<T> implements CommandTimeouts.Command {

    private final BaseRedisAsyncCommands<String, String> commands;
    private final Call call;
    private final int weight;
    private final Function<@Nullable Object, T> reading;
    private final SyncGuardException.Context context;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    Answer(
        BaseRedisAsyncCommands<String, String> commands,
        Call call,
        int weight,
        Function<@Nullable Object, T> reading,
        SyncGuardException.Context context) {
      this.commands = commands;
      this.call = call;
      this.weight = weight;
      this.reading = reading;
      this.context = context;
    }

    void cancelBy(CancelSignal signal) {
      CancelSignal.Registration registration =
          signal.onCancel(
              () -> giveUp(Code.ABORTED, "The operation was cancelled before Redis answered"));
      CompletionStage<T> done = result;
      done.whenComplete((value, failure) -> registration.close());
    }

    void timeOutAfter(Duration limit) {
      TimeSource.Timer timer = TimeSource.system().schedule(this::timeOut, limit);
      CompletionStage<T> done = result;
      done.whenComplete((value, failure) -> timer.cancel());
    }

    @Override
    public boolean isDone() {
      return result.isDone();
    }

    @Override
    public void timeOut() {
      giveUp(Code.NETWORK_TIMEOUT, connections.server() + " did not answer in time");
      connections.doubt(commands, call.keys().get(0));
    }

    private void giveUp(Code code, String message) {
      result.completeExceptionally(
          SyncGuardException.withUnknownOutcome(code, message, context, null));
    }

    void ask(CommandType type, String scriptOrDigest) {
      try {
        CompletionStage<Object> command =
            commands.dispatch(type, ScriptAnswer.to(call.script()), call.args(scriptOrDigest));
        command.whenComplete(
            (value, failure) -> {
              if (connections.isInDoubt() && (failure == null || RedisFailures.isAnswer(failure))) {
                connections.heard(commands, call.keys().get(0));
              }
              if (failure == null) {
                answered(value);
              } else if (failure instanceof RedisNoScriptException
                  && type == CommandType.EVALSHA
                  && !result.isDone()) {
                ask(CommandType.EVAL, call.script().source());
              } else {
                failed(failure);
              }
            });
      } catch (RuntimeException e) {
        failed(e);
      }
    }

    private void answered(@Nullable Object value) {
      unanswered.addAndGet(-weight);
      try {
        result.complete(reading.apply(value));
      } catch (RuntimeException e) {
        result.completeExceptionally(RedisFailures.of(e, context));
      }
    }

    private void failed(Throwable failure) {
      unanswered.addAndGet(-weight);
      result.completeExceptionally(RedisFailures.of(failure, context, connections.server()));
      if (RedisFailures.isDisconnected(failure)) {
        connections.lookAnew();
      }
      if (RedisFailures.isFromReplica(failure)) {
        connections.leaveReplica();
      }
    }
  }
}
