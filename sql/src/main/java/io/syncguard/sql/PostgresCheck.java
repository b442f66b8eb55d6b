package io.syncguard.sql;

import io.syncguard.SyncGuardException.Code;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks, before the first script is carried out, whether the database is set up for locks.
 * Otherwise somebody would get a lock that cannot be released.
 */
final class PostgresCheck implements ScriptRunner {

  private record Setup(boolean tables, String isolation) {}

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
      check(call);
      passed = true;
    }
    return runner.run(effect, script, parameters, call, reader);
  }

  private void check(Call call) {
    Setup setup =
        runner.run(
            Effect.READ,
            check,
            Map.of(),
            call,
            row -> new Setup(row.getBoolean("tables"), row.getString("isolation")));
    if (setup == null || !setup.tables) {
      throw call.failure(Code.INVALID_ARGUMENT, PostgresFailures.TABLES_ARE_MISSING, null);
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
  }

  @Override
  public void close() {
    runner.close();
  }
}
