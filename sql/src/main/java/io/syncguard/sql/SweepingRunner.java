package io.syncguard.sql;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Has what has expired swept once in a while, after something was written. */
final class SweepingRunner implements ScriptRunner {

  private final ScriptRunner runner;
  private final Sweeper sweeper;

  SweepingRunner(ScriptRunner runner, Sweeper sweeper) {
    this.runner = runner;
    this.sweeper = sweeper;
  }

  @Override
  public <T> @Nullable T run(
      Effect effect,
      Script script,
      Map<String, Object> parameters,
      Call call,
      RowReader<T> reader) {
    T result = runner.run(effect, script, parameters, call, reader);
    if (effect != Effect.READ) {
      sweeper.written();
    }
    return result;
  }

  @Override
  public void close() {
    runner.close();
  }
}
