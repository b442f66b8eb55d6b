package io.syncguard.jdbc.sweep;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.spi.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SweeperTest {

  private static final SqlScript NOTHING = new SqlScript(SqlScript.Effect.WRITE, List.of());

  private static final Executor WITHOUT_THREADS =
      task -> {
        throw new OutOfMemoryError("planted: unable to create native thread");
      };

  /** A database that does all that it is asked for. */
  private static final ScriptRunner RUNNER =
      new ScriptRunner() {
        @Override
        public <T> @Nullable T run(
            SqlScript script, Map<String, Object> parameters, SqlCall call, RowReader<T> reader) {
          return null;
        }
      };

  @Test
  void whatWasWrittenDoesNotFailForLackOfAThreadToSweep() {
    SweepScripts scripts = new SweepScripts(NOTHING, List.of(NOTHING));
    Sweeper sweeper = new Sweeper(RUNNER, scripts, TimeSource.system(), WITHOUT_THREADS);
    assertThatCode(
            () ->
                new SweepingRunner(RUNNER, sweeper)
                    .run(NOTHING, Map.of(), SqlCall.ofStore(), row -> row))
        .doesNotThrowAnyException();
    sweeper.close();
  }
}
