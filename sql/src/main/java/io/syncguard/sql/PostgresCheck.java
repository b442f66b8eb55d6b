package io.syncguard.sql;

import io.syncguard.SyncGuardException.Code;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks, before the first script is carried out, whether the database is set up for locks.
 * Otherwise somebody would get a lock that cannot be released.
 */
final class PostgresCheck implements ScriptRunner {

  private record Setup(boolean tables, String isolation, boolean readOnly) {}

  private final ScriptRunner runner;
  private final Script check;
  private volatile boolean passed;

  PostgresCheck(ScriptRunner runner, Script check) {
    this.runner = runner;
    this.check = check;
  }

  @Override
  public <T> @Nullable T run(
      Effect effect,
      Script script,
      Map<String, Object> parameters,
      Call call,
      RowReader<T> reader) {
    if (!passed) {
      passed = check(effect, call);
    }
    return runner.run(effect, script, parameters, call, reader);
  }

  /** Returns whether it need not be looked again; a replica may become a primary. */
  private boolean check(Effect effect, Call call) {
    Setup setup =
        runner.run(
            Effect.READ,
            check,
            Map.of(),
            call,
            row ->
                new Setup(
                    row.getBoolean("tables"),
                    row.getString("isolation"),
                    row.getBoolean("read_only")));
    if (setup == null || !setup.tables) {
      throw call.failure(Code.INVALID_ARGUMENT, PostgresFailures.TABLES_ARE_MISSING, null);
    }
    if (setup.readOnly && effect != Effect.READ) {
      throw call.failure(Code.SERVICE_UNAVAILABLE, PostgresFailures.READ_ONLY, null);
    }
    if (!setup.isolation.startsWith("read ")) {
      throw call.failure(
          Code.INVALID_ARGUMENT,
          "A transaction must be READ COMMITTED and not "
              + setup.isolation
              + ", or waiting for others would end in serialization failures; see"
              + " default_transaction_isolation and the pool's setting",
          null);
    }
    return !setup.readOnly;
  }

  @Override
  public void close() {
    runner.close();
  }
}
