package io.syncguard.sqlite;

import static io.syncguard.testkit.sql.BareLocks.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.jdbc.backend.LimitScripts;
import io.syncguard.jdbc.backend.LockScripts;
import io.syncguard.jdbc.backend.SecretScripts;
import io.syncguard.jdbc.backend.SqlLimits;
import io.syncguard.jdbc.backend.SqlLocks;
import io.syncguard.jdbc.backend.SqlSecrets;
import io.syncguard.jdbc.backend.Waiting;
import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.lock.LockId;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.limit.LimitOperation;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.ProofHash;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.testkit.sql.BareLocks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fence that went backwards after a power cut would be a broken promise. */
class SqliteDurabilityTest {

  private static final int FULL = 2;
  private static final int NORMAL = 1;

  private final ScriptFiles files = SqliteStore.files();
  @TempDir private Path directory;

  /** Asks, after each script, how durably the connection writes that carried out its last step. */
  private static final class Asking implements ScriptRunner {

    private final ScriptRunner runner;
    private final List<Integer> synchronous = new ArrayList<>();

    Asking(ScriptRunner runner) {
      this.runner = runner;
    }

    @Override
    public <T> @Nullable T run(
        SqlScript script, Map<String, Object> parameters, SqlCall call, RowReader<T> reader) {
      SqlScript step = script;
      T result = runner.run(alone(step), parameters, call, reader);
      while (result == null && step.otherwise().isPresent()) {
        step = step.otherwise().get();
        result = runner.run(alone(step), parameters, call, reader);
      }
      SqlScript asking =
          new SqlScript(
              step.effect(),
              List.of(new SqlScript.Statement("PRAGMA synchronous", List.of(), false)));
      synchronous.add(runner.run(asking, Map.of(), call, row -> row.getInt(1)));
      return result;
    }

    private static SqlScript alone(SqlScript step) {
      return new SqlScript(step.effect(), step.statements());
    }

    @Override
    public void close() {
      runner.close();
    }
  }

  private Asking open() throws Exception {
    SqliteFile file = new SqliteFile(directory.resolve("x"), SqliteFile.DEFAULT_BUSY_TIMEOUT);
    SqliteSetup.from(files, file).run();
    return new Asking(new SqliteRunner(file, TimeSource.system()));
  }

  @Test
  void whatIsViewedBurnedOrCountedIsOnDiskBeforeItIsToldAndARateNeedNotBe() throws Exception {
    try (Asking runner = open()) {
      SqlSecrets secrets = new SqlSecrets(runner, SecretScripts.from(files));
      SqlLimits limits = new SqlLimits(runner, LimitScripts.from(files));
      SecretId id = SecretId.random();
      NewSecret secret = new NewSecret(id, new byte[0], ProofHash.NONE, Views.of(2), TTL);
      ResourceKey key = ResourceKey.of("k");
      secrets.put(new SecretOperation.Put(secret), Call.plain());
      secrets.view(new SecretOperation.View(id, ProofHash.NONE), Call.plain());
      secrets.burn(new SecretOperation.Burn(id), Call.plain());
      limits.increment(new LimitOperation.Increment(key, 1, TTL), Call.plain());
      limits.take(new LimitOperation.Take(key, TTL, TTL), Call.plain());
      assertThat(runner.synchronous).containsExactly(FULL, FULL, FULL, FULL, NORMAL);
    }
  }

  @Test
  void whatIsAcquiredOrExtendedIsOnDiskBeforeItIsToldAndAReleaseNeedNotBe() throws Exception {
    try (Asking runner = open()) {
      SqlLocks locks = locksOn(runner);
      LockReference lock = new LockReference(LockId.random(), null);
      BareLocks.acquire(locks, "k", lock.lockId());
      locks.extend(new LockOperation.Extend(lock, TTL), Call.plain());
      locks.release(new LockOperation.Release(lock), Call.plain());
      assertThat(runner.synchronous).containsExactly(FULL, FULL, NORMAL);
    }
  }

  @Test
  void aReleaseThatGrantsIsOnDiskBeforeItIsToldAndAPlaceInTheQueueNeedNotBe() throws Exception {
    try (Asking runner = open()) {
      QueueClient client = new QueueClient(locksOn(runner), ResourceKey.of("k"));
      LockId holder = LockId.random();
      LockId first = LockId.random();
      LockId second = LockId.random();
      client.take(holder);
      runner.synchronous.clear();

      client.join(first);
      client.join(second);
      client.keepWaiting(first);
      client.release(second);
      assertThat(runner.synchronous).containsExactly(NORMAL, NORMAL, NORMAL, NORMAL);

      client.release(holder);
      client.take(first);
      assertThat(runner.synchronous.subList(4, 6)).containsExactly(FULL, FULL);
    }
  }

  private SqlLocks locksOn(ScriptRunner runner) {
    return new SqlLocks(
        new LockCapabilities("sqlite", true, TimeAuthority.CLIENT),
        runner,
        LockScripts.from(files),
        Waiting.POLLING);
  }
}
