package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Finding.Level;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.scan.ScanSuite;
import io.syncguard.testkit.server.PostgresServer;
import io.syncguard.testkit.sql.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica that answers questions and changes nothing. */
class PostgresReplicaTest {

  private static final String KEY = "k";

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aReplicaAnswersWhoHoldsALockAndSendsOthersToThePrimary() throws Exception {
    LockId holder = LockId.random();
    try (PostgresServer server =
        PostgresServer.builder().version(18).setting("fsync", "off").start()) {
      try (PostgresStore primary = PostgresStore.connect(server.address().uri())) {
        primary.setupSchema();
        assertThat(primary.examine())
            .filteredOn(found -> found.level() != Level.OK)
            .singleElement()
            .extracting(Finding::level, Finding::advice)
            .containsExactly(Level.WARNING, "Set fsync=on");
        OnPostgres.acquire(primary.locks(), KEY, holder);
      }
      // It has found everything in order, and does not look again.
      PostgresStore trusting = PostgresStore.connect(server.address().uri());
      assertThat(ask(trusting, new LockOperation.FindById(holder))).isPresent();
      Object data = Sql.on(server.address()).value("SHOW data_directory");
      Files.createFile(Path.of(String.valueOf(data), "standby.signal"));
      server.restart();
      try (trusting) {
        LockReference lock = new LockReference(holder, null);
        eventually(
            () ->
                assertThat(
                        assertSentToThePrimary(
                            () -> ask(trusting, new LockOperation.Release(lock))))
                    .hasMessageContaining("0A000"));
      }
      try (PostgresStore replica = PostgresStore.connect(server.address().uri())) {
        assertThat(ask(replica, new LockOperation.IsLocked(ResourceKey.of(KEY)))).isTrue();
        assertThat(ask(replica, new LockOperation.FindById(holder))).isPresent();
        LockReference lock = new LockReference(holder, null);
        assertSentToThePrimary(
            () -> OnPostgres.acquire(replica.locks(), "another", LockId.random()));
        assertSentToThePrimary(() -> ask(replica, new LockOperation.Extend(lock, OnPostgres.TTL)));
        assertSentToThePrimary(() -> ask(replica, new LockOperation.Release(lock)));
        assertThat(ScanSuite.all(replica.scanLocks())).hasSize(1);
        assertThat(replica.examine())
            .filteredOn(found -> found.level() == Level.FAILURE)
            .extracting(Finding::subject)
            .contains("replication");
      }
    }
  }

  private static SyncGuardException assertSentToThePrimary(Runnable operation) {
    SyncGuardException failure = assertFails(Code.SERVICE_UNAVAILABLE, operation::run);
    assertThat(failure).hasMessageContaining("targetServerType=primary");
    assertThat(failure.isOutcomeUnknown()).isFalse();
    return failure;
  }
}
