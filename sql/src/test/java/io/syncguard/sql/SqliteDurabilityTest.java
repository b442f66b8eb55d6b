package io.syncguard.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
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
  private static final Script SYNCHRONOUS =
      new Script(List.of(new Script.Statement("PRAGMA synchronous", List.of(), false)));

  /** Asks, after each script, how durably the connection writes that carried it out. */
  private static final class Asking implements ScriptRunner {

    private final ScriptRunner runner;
    private final List<Integer> synchronous = new ArrayList<>();

    Asking(ScriptRunner runner) {
      this.runner = runner;
    }

    @Override
    public <T> @Nullable T run(
        Effect effect,
        Script script,
        Map<String, Object> parameters,
        Call call,
        RowReader<T> reader) {
      T result = runner.run(effect, script, parameters, call, reader);
      synchronous.add(runner.run(effect, SYNCHRONOUS, Map.of(), call, row -> row.getInt(1)));
      return result;
    }

    @Override
    public void close() {
      runner.close();
    }
  }

  @Test
  void whatIsViewedBurnedOrCountedIsOnDiskBeforeItIsToldAndARateNeedNotBe(@TempDir Path directory)
      throws Exception {
    SqliteFile file = new SqliteFile(directory.resolve("x"), SqliteFile.DEFAULT_BUSY_TIMEOUT);
    ScriptFiles files = new ScriptFiles("sqlite", Map.of());
    new SqliteSetup(file, files.read("upgrade"), files.read("setup")).run();
    try (Asking runner = new Asking(new SqliteRunner(file, TimeSource.system()));
        Workers workers = new Workers("unused", 1, OnPostgres.TTL)) {
      SqlSecrets secrets = new SqlSecrets(runner, SecretScripts.from(files), workers);
      SqlLimits limits = new SqlLimits(runner, LimitScripts.from(files), workers);
      SecretId id = SecretId.random();
      secrets.put(
          new NewSecret(id, new byte[0], ProofHash.NONE, Views.of(2), OnPostgres.TTL),
          OnPostgres.NEVER);
      secrets.view(id, ProofHash.NONE, OnPostgres.NEVER);
      secrets.burn(id, OnPostgres.NEVER);
      ResourceKey key = ResourceKey.of("k");
      limits.increment(new CountRequest(key, 1, OnPostgres.TTL), OnPostgres.NEVER);
      limits.acquire(new RateRequest(key, OnPostgres.TTL, OnPostgres.TTL), OnPostgres.NEVER);
      assertThat(runner.synchronous).containsExactly(FULL, FULL, FULL, FULL, NORMAL);
    }
  }

  @Test
  void whatIsAcquiredOrExtendedIsOnDiskBeforeItIsToldAndAReleaseNeedNotBe(@TempDir Path directory)
      throws Exception {
    SqliteFile file = new SqliteFile(directory.resolve("x"), SqliteFile.DEFAULT_BUSY_TIMEOUT);
    ScriptFiles files = new ScriptFiles("sqlite", Map.of());
    new SqliteSetup(file, files.read("upgrade"), files.read("setup")).run();
    try (Asking runner = new Asking(new SqliteRunner(file, TimeSource.system()));
        Workers workers = new Workers("unused", 1, OnPostgres.TTL)) {
      LockScripts scripts = LockScripts.from(files);
      SqlLocks locks =
          new SqlLocks(
              new LockCapabilities("sqlite", true, TimeAuthority.CLIENT),
              runner,
              scripts,
              Waiting.POLLING,
              workers);
      LockReference lock = new LockReference(LockId.random(), null);
      OnPostgres.acquire(locks, "k", lock.lockId());
      locks.extend(lock, OnPostgres.TTL, OnPostgres.NEVER);
      locks.release(lock, OnPostgres.TTL);
      assertThat(runner.synchronous).containsExactly(FULL, FULL, NORMAL);
    }
  }
}
