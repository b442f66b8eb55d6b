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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts: by digest, and with the text where Redis does not know the digest (yet, or any
 * more).
 */
final class ScriptRunner {

  private final Connections connections;
  private final Duration timeout;
  private final CommandTimeouts timeouts;

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

    private CallArgs args(String scriptOrDigest) {
      return new CallArgs(scriptOrDigest, keys, arguments);
    }
  }

  /** Runs it; the stage fails with what the user sees. */
  <T> CompletionStage<T> run(
      BaseRedisAsyncCommands<String, String> commands,
      Call call,
      Function<@Nullable Object, T> reading,
      SyncGuardException.Context context,
      CancelSignal signal) {
    Answer<T> answer = new Answer<>(commands, call, reading, context);
    timeouts.watch(answer);
    if (signal != CancelSignal.never()) {
      answer.cancelBy(signal);
    }
    answer.ask(CommandType.EVALSHA, call.script().digest());
    return answer.result;
  }

  /** As {@link #run}, but fails after the limit where that is less than a command may take. */
  <T> CompletionStage<T> runWithin(
      Duration limit,
      BaseRedisAsyncCommands<String, String> commands,
      Call call,
      Function<@Nullable Object, T> reading,
      SyncGuardException.Context context) {
    Answer<T> answer = new Answer<>(commands, call, reading, context);
    timeouts.watch(answer);
    if (limit.compareTo(timeout) < 0) {
      answer.timeOutAfter(limit);
    }
    answer.ask(CommandType.EVALSHA, call.script().digest());
    return answer.result;
  }

  private final class Answer<T> implements CommandTimeouts.Command {

    private final BaseRedisAsyncCommands<String, String> commands;
    private final Call call;
    private final Function<@Nullable Object, T> reading;
    private final SyncGuardException.Context context;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    Answer(
        BaseRedisAsyncCommands<String, String> commands,
        Call call,
        Function<@Nullable Object, T> reading,
        SyncGuardException.Context context) {
      this.commands = commands;
      this.call = call;
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
      giveUp(Code.NETWORK_TIMEOUT, "Redis did not answer in time");
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
      try {
        result.complete(reading.apply(value));
      } catch (RuntimeException e) {
        failed(e);
      }
    }

    private void failed(Throwable failure) {
      result.completeExceptionally(RedisFailures.of(failure, context));
      if (RedisFailures.isFromReplica(failure)) {
        connections.leaveReplica();
      }
    }
  }
}
