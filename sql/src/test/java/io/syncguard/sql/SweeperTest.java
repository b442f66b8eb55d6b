package io.syncguard.sql;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SweeperTest {

  private static final Executor WITHOUT_THREADS =
      task -> {
        throw new OutOfMemoryError("planted: unable to create native thread");
      };

  /** A database that does all that it is asked for. */
  private static final ScriptRunner RUNNER =
      new ScriptRunner() {
        @Override
        public <T> @Nullable T run(
            Effect effect,
            Script script,
            Map<String, Object> parameters,
            Call call,
            RowReader<T> reader) {
          return null;
        }

        @Override
        public void close() {}
      };

  @Test
  void whatWasWrittenDoesNotFailForLackOfAThreadToSweep() {
    SweepScripts scripts = SweepScripts.from(new ScriptFiles("sqlite", Map.of()));
    Sweeper sweeper = new Sweeper(RUNNER, scripts, TimeSource.system(), WITHOUT_THREADS);
    Call call = Call.of("k", LockId.random().value(), CancelSignal.never());
    assertThatCode(
            () ->
                new SweepingRunner(RUNNER, sweeper)
                    .run(ScriptRunner.Effect.WRITE, scripts.due(), Map.of(), call, row -> row))
        .doesNotThrowAnyException();
    sweeper.close();
  }
}
