package io.syncguard.sqlite;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.sql.BareLocks;
import io.syncguard.testkit.sql.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are new, SyncGuard's, another program's, or no files at all. */
class SqliteFileTest {

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("locks.db");
  }

  private static SyncGuardException assertRefused(Path path) {
    return assertFails(Code.INVALID_ARGUMENT, () -> SqliteStore.open(path));
  }

  private static void assertWorks(SqliteStore store) {
    LockId lockId = LockId.random();
    assertThat(BareLocks.acquire(store.locks(), "k", lockId)).isInstanceOf(Granted.class);
    assertThat(ask(store, new LockOperation.Release(new LockReference(lockId, null))))
        .isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void directoriesAndFileAreCreated() {
    Path deep = directory.resolve("a/b/c.db");
    try (SqliteStore store = SqliteStore.open(deep)) {
      assertWorks(store);
    }
    assertThat(deep).isRegularFile();
  }

  @Test
  void aFileIsOpenedAgainWithWhatItHeld() {
    LockId lockId = LockId.random();
    try (SqliteStore store = SqliteStore.open(file())) {
      BareLocks.acquire(store.locks(), "k", lockId);
    }
    try (SqliteStore store = SqliteStore.open(file())) {
      assertThat(ask(store, new LockOperation.FindById(lockId))).isPresent();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a b", "caf\u00e9", "100%25", "#1", "file:x", "quote'\"", "a?mode=memory"})
  void aNameIsTakenAsItIs(String name) throws Exception {
    Path path = directory.resolve(name);
    try (SqliteStore store = SqliteStore.open(path)) {
      assertWorks(store);
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files.filter(f -> !f.toString().matches(".*-(wal|shm)"))).containsExactly(path);
      }
    }
  }

  @Test
  void manyThatOpenANewFileAtTheSameTimeAllSucceed() throws Exception {
    for (int round = 0; round < 40; round++) {
      Path path = directory.resolve("new " + round);
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            CompletableFuture.runAsync(
                () -> SqliteStore.open(path).close(), task -> new Thread(task).start()));
      }
      for (CompletableFuture<Void> one : all) {
        one.get(30, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void theLogIsWrittenAhead() {
    try (SqliteStore store = SqliteStore.open(file())) {
      assertWorks(store);
      assertThat(Sql.on(file()).value("PRAGMA journal_mode")).isEqualTo("wal");
    }
  }

  @Test
  void aDirectoryIsRefused() {
    assertRefused(directory);
  }

  @Test
  void aPathBelowAFileIsRefused() throws Exception {
    Files.writeString(file(), "");
    assertRefused(file().resolve("locks.db"));
    assertRefused(file().resolve("deeper/locks.db"));
  }

  @Test
  void aDirectoryWhereNothingCanBeCreatedIsRefused() {
    assertRefused(Path.of("/proc/nowhere/locks.db"));
  }

  @Test
  void whatIsNoDatabaseIsRefusedAndLeftAsItIs() throws Exception {
    String text = "This is a text. ".repeat(100);
    Files.writeString(file(), text);
    assertThat(assertRefused(file())).hasMessageContaining("something else");
    assertThat(file()).hasContent(text);
  }

  @Test
  void aNewerFormatIsRefusedAndLeftAsItIs() throws Exception {
    Sql.on(file()).execute("PRAGMA user_version = 3");
    byte[] before = Files.readAllBytes(file());
    assertThat(assertRefused(file())).hasMessageContaining("newer version");
    assertThat(file()).hasBinaryContent(before);
    assertThat(Sql.on(file()).value("PRAGMA journal_mode")).isEqualTo("delete");
  }

  @Test
  void aFileOfTheFormatBeforeIsBroughtUpToDateAndItsSecretsStay() throws Exception {
    SecretId id;
    try (SyncGuard guard = SyncGuard.open("sqlite:" + file())) {
      id = guard.secrets().put(new byte[] {7}, Views.of(1), Duration.ofHours(1));
    }
    Sql.on(file()).execute("ALTER TABLE syncguard_secrets DROP COLUMN proof");
    Sql.on(file()).execute("PRAGMA user_version = 1");
    try (SyncGuard guard = SyncGuard.open("sqlite:" + file())) {
      assertThat(guard.secrets().view(id).orElseThrow().value()).containsExactly(7);
    }
    assertThat(Sql.on(file()).number("PRAGMA user_version")).isEqualTo(2);
  }

  @Test
  void aFileWithoutAQueueGetsOneAndItsLocksStay() throws Exception {
    LockId holder = LockId.random();
    LockId waiter = LockId.random();
    try (SqliteStore store = SqliteStore.open(file())) {
      BareLocks.acquire(store.locks(), "k", holder);
    }
    QueueTables.drop(file());
    try (SqliteStore store = SqliteStore.open(file())) {
      QueueClient client = new QueueClient(store.locks(), ResourceKey.of("k"));
      client.join(waiter);
      client.release(holder);
      assertThat(client.holder()).isEqualTo(waiter);
    }
  }

  @Test
  void aFileThatAnotherClientKeepsToItselfIsUnavailableUntilItIsNot() throws Exception {
    LockId lockId = LockId.random();
    try (SyncGuard guard = SyncGuard.open("sqlite:" + file() + "?busyTimeout=50ms")) {
      try (Connection other = Sql.on(file()).begin()) {
        Sql.rowsOn(other, "DELETE FROM syncguard_locks");
        SyncGuardException failure =
            assertFails(Code.SERVICE_UNAVAILABLE, () -> guard.locks().tryLock("k", BareLocks.TTL));
        assertThat(failure.isOutcomeUnknown()).isFalse();
        assertFails(Code.SERVICE_UNAVAILABLE, () -> guard.locks().extend(lockId, BareLocks.TTL));
        assertThat(guard.locks().isLocked("k")).as("readers need not wait").isFalse();
        other.rollback();
      }
      assertThat(Sql.on(file()).number("SELECT count(*) FROM syncguard_fence_counters")).isZero();
      assertThat(guard.locks().tryLock("k", BareLocks.TTL).isAcquired()).isTrue();
    }
  }

  @Test
  void aUriNamesTheFile() {
    SyncGuard.open("sqlite:" + file()).close();
    SyncGuard.open("sqlite:" + file() + "?busyTimeout=2s").close();
    SyncGuard.open("SQLite://" + file()).close();
    assertThat(file()).isRegularFile();
  }

  @Test
  void aUriMayBeRelative() throws Exception {
    Path relative = Path.of("target", "sqlite-relative-" + LockId.random().value() + ".db");
    try {
      SyncGuard.open("sqlite:" + relative).close();
      assertThat(relative).isRegularFile();
    } finally {
      Files.deleteIfExists(relative);
    }
  }

  @Test
  void aBusyTimeoutMayBeVeryLong() {
    SyncGuard.open("sqlite:" + file() + "?busyTimeout=999999999m").close();
    try (SqliteStore store = SqliteStore.open(file())) {
      assertWorks(store);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sqlite::memory:",
        "sqlite:file::memory:?cache=shared",
        "sqlite:x?busyTimeout=",
        "sqlite:x?busyTimeout=1w",
        "sqlite:x?timeout=1s",
        "sqlite:x?busyTimeout=1s&mode=ro",
        "sqlite:\0"
      })
  void aUriThatCannotBeUsedIsRefused(String uri) {
    assertFails(Code.INVALID_ARGUMENT, () -> SyncGuard.open(uri));
  }

  @Test
  void aDatabaseInMemoryIsRefused() {
    assertRefused(Path.of(""));
    assertThat(Path.of(":memory:")).doesNotExist();
  }
}
