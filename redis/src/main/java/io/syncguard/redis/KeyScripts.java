package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs scripts that have a single key, each in one round trip on a shared connection. */
final class KeyScripts {

  /** What a script is about. */
  record Subject(String key, SyncGuardException.Context context) {}

  private final Connections connections;
  private final ScriptRunner runner;

  KeyScripts(Connections connections, ScriptRunner runner) {
    this.connections = connections;
    this.runner = runner;
  }

  /**
   * Runs it; the stage fails with what the user sees.
   *
   * @param arguments texts and byte arrays
   */
  <T> CompletionStage<T> run(
      Script script,
      Subject subject,
      List<?> arguments,
      Function<@Nullable Object, T> reading,
      CancelSignal signal) {
    return runWithin(runner.timeout(), script, subject, arguments, reading, signal);
  }

  /** As {@link #run}, but fails after the limit where that is less than a command may take. */
  <T> CompletionStage<T> runWithin(
      Duration limit,
      Script script,
      Subject subject,
      List<?> arguments,
      Function<@Nullable Object, T> reading,
      CancelSignal signal) {
    try {
      return runner.runWithin(
          limit,
          connections.commands(),
          new ScriptRunner.Call(script, List.of(subject.key()), arguments),
          reading,
          subject.context(),
          signal);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(RedisFailures.of(e, subject.context()));
    }
  }

  /** Deletes what the subject's key holds; tells whether there was anything. */
  CompletionStage<Boolean> delete(Subject subject, CancelSignal signal) {
    return run(
        Script.DELETE, subject, List.of(), answer -> String.valueOf(answer).equals("1"), signal);
  }

  /** Returns the texts of an answer that is a list. */
  static List<?> list(@Nullable Object answer) {
    if (answer instanceof List<?> fields) {
      return fields;
    }
    throw new IllegalStateException("A script answered something else than a list");
  }
}
