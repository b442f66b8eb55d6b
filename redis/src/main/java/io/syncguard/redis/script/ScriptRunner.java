package io.syncguard.redis.script;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.protocol.CommandType;
import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.failure.RedisFailures;
import io.syncguard.spi.Call;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts: by digest, and with the text where Redis does not know the digest. A store has one,
 * since it bounds what waits for an answer. Thread-safe.
 */
public final class ScriptRunner {

  /**
   * How many commands may wait for an answer, those included that were given up and that the driver
   * still keeps: about 50 MB of heap. Far more than a Redis that answers ever lets wait.
   */
  public static final int MOST_UNANSWERED = 32_768;

  private final Connections connections;
  private final Duration timeout;
  private final CommandTimeouts timeouts;
  private final AtomicInteger unanswered = new AtomicInteger();

  /**
   * Runs nothing yet.
   *
   * @param timeout how long a command may take
   */
  public ScriptRunner(Connections connections, Duration timeout) {
    this.connections = connections;
    this.timeout = timeout;
    this.timeouts = new CommandTimeouts(timeout);
  }

  /** Returns at once how long a command may take. */
  public Duration timeout() {
    return timeout;
  }

  /** Sends a script on the shared connection; see {@link #runOn}. */
  public <T> CompletionStage<T> run(
      ScriptCall script, Function<@Nullable Object, T> reading, Subject subject, Call call) {
    return runOn(connections.commands(), script, reading, subject, call);
  }

  /**
   * Sends a script, and returns at once; the stage fails with what the user sees.
   *
   * @param reading makes the result of what Redis answers, in the driver's thread
   */
  public <T> CompletionStage<T> runOn(
      BaseRedisAsyncCommands<String, String> commands,
      ScriptCall script,
      Function<@Nullable Object, T> reading,
      Subject subject,
      Call call) {
    int weight = script.weight();
    if (!admitted(weight)) {
      return refused(subject);
    }
    Answer<T> answer = new Answer<>(commands, script, weight, reading, subject);
    timeouts.watch(answer);
    if (call.signal() != CancelSignal.never()) {
      answer.cancelBy(call.signal());
    }
    Duration limit = call.timeLeft(timeout);
    if (limit.compareTo(timeout) < 0) {
      answer.timeOutAfter(limit);
    }
    answer.ask(CommandType.EVALSHA, script.script().digest());
    return answer.result;
  }

  private boolean admitted(int weight) {
    if (unanswered.addAndGet(weight) <= MOST_UNANSWERED) {
      return true;
    }
    unanswered.addAndGet(-weight);
    return false;
  }

  private static <T> CompletionStage<T> refused(Subject subject) {
    return CompletableFuture.failedFuture(
        new SyncGuardException(
            Code.SERVICE_UNAVAILABLE,
            "Redis has not answered too many commands yet, or too large ones, so this one was not"
                + " sent; see whether Redis hangs",
            subject,
            null));
  }

  private final class Answer<T> implements CommandTimeouts.Command {

    private final BaseRedisAsyncCommands<String, String> commands;
    private final ScriptCall script;
    private final int weight;
    private final Function<@Nullable Object, T> reading;
    private final Subject subject;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    Answer(
        BaseRedisAsyncCommands<String, String> commands,
        ScriptCall script,
        int weight,
        Function<@Nullable Object, T> reading,
        Subject subject) {
      this.commands = commands;
      this.script = script;
      this.weight = weight;
      this.reading = reading;
      this.subject = subject;
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
      connections.doubt(commands, script.keys().get(0));
    }

    private void giveUp(Code code, String message) {
      result.completeExceptionally(
          SyncGuardException.withUnknownOutcome(code, message, subject, null));
    }

    void ask(CommandType type, String scriptOrDigest) {
      try {
        CompletionStage<Object> command =
            commands.dispatch(
                type, ScriptAnswer.to(script.script()), new ScriptArgs(scriptOrDigest, script));
        command.whenComplete(
            (value, failure) -> {
              if (connections.isInDoubt() && (failure == null || RedisFailures.isAnswer(failure))) {
                connections.heard(commands, script.keys().get(0));
              }
              if (failure == null) {
                answered(value);
              } else if (failure instanceof RedisNoScriptException
                  && type == CommandType.EVALSHA
                  && !result.isDone()) {
                ask(CommandType.EVAL, script.script().source());
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
        result.completeExceptionally(RedisFailures.of(e, subject));
      }
    }

    private void failed(Throwable failure) {
      unanswered.addAndGet(-weight);
      result.completeExceptionally(RedisFailures.of(failure, subject, connections.server()));
      if (RedisFailures.isDisconnected(failure)) {
        connections.lookAnew();
      }
      if (RedisFailures.isFromReplica(failure)) {
        connections.leaveReplica();
      }
    }
  }
}
