package io.syncguard.jdbc.sweep;

import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.jdbc.script.SqlScript.Effect;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Has what has expired swept once in a while, after something was written. */
public record SweepingRunner(ScriptRunner runner, Sweeper sweeper) implements ScriptRunner {

  @Override
  public <T> @Nullable T run(
      SqlScript script, Map<String, Object> parameters, SqlCall call, RowReader<T> reader) {
    T result = runner.run(script, parameters, call, reader);
    if (script.effect() != Effect.READ) {
      sweeper.written();
    }
    return result;
  }
}
