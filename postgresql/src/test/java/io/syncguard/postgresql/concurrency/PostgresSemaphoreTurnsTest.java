package io.syncguard.postgresql.concurrency;

import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.postgresql.OnPostgres;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.sql.Permits;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever other clients do with a name at the same time, no slot is given twice or lost. */
class PostgresSemaphoreTurnsTest extends OnPostgres {

  private static final String NAME = "n";
  private static final String ACQUIRE =
      "SELECT outcome FROM syncguard_semaphores_acquire_1(?, ?, 1, 600000, 600000, 1, '')";
  private static final String RELEASE = "SELECT was FROM syncguard_semaphores_release_1(?, ?)";

  private final SemaphoreBackend semaphores = store.semaphores();
  private final PermitReference first = newPermit(NAME);
  private final PermitReference second = newPermit(NAME);
  private final PermitReference third = newPermit(NAME);

  private static <T> T got(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private List<Object> withASlot() {
    return sql
        .rows("SELECT id FROM syncguard_permits WHERE state <> 'waiting' ORDER BY ticket")
        .stream()
        .map(row -> row.get("id"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theLastSlotGoesToOneOfTwo(boolean committed) throws Exception {
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, ACQUIRE, NAME, first.id().value());
      CompletableFuture<PermitAttempt> asked =
          inBackground(() -> Permits.ask(semaphores, second, 1));
      awaitBlocked(1);
      if (committed) {
        other.commit();
        assertThat(got(asked)).isInstanceOf(PermitAttempt.Waiting.class);
        assertThat(withASlot()).containsExactly(first.id().value());
      } else {
        other.rollback();
        assertThat(got(asked)).isInstanceOf(PermitAttempt.Held.class);
        assertThat(withASlot()).containsExactly(second.id().value());
      }
    }
  }

  @Test
  void twoReleasesAtTheSameTimeServeTwo() throws Exception {
    PermitReference fourth = newPermit(NAME);
    PermitReference fifth = newPermit(NAME);
    for (PermitReference permit : List.of(first, second, third, fourth, fifth)) {
      Permits.ask(semaphores, permit, 2);
    }
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, RELEASE, NAME, first.id().value());
      CompletableFuture<PermitReleaseResult> asked =
          inBackground(() -> ask(new SemaphoreOperation.Release(second)));
      awaitBlocked(1);
      other.commit();
      assertThat(got(asked)).isEqualTo(PermitReleaseResult.RELEASED);
    }
    assertThat(withASlot()).containsExactly(third.id().value(), fourth.id().value());
    assertThat(sql.number("SELECT taken FROM syncguard_semaphores")).isEqualTo(2);
  }

  @Test
  void aReleaseThatIsUndoneServesNoWaiter() throws Exception {
    Permits.ask(semaphores, first, 1);
    Permits.ask(semaphores, second, 1);
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, RELEASE, NAME, first.id().value());
      CompletableFuture<PermitAttempt> asked =
          inBackground(() -> Permits.ask(semaphores, second, 1));
      awaitBlocked(1);
      other.rollback();
      assertThat(got(asked)).isInstanceOf(PermitAttempt.Waiting.class);
    }
    assertThat(withASlot()).containsExactly(first.id().value());
  }

  @Test
  void aDeadHoldersSlotIsGrantedOnce() throws Exception {
    Permits.ask(semaphores, first, 1);
    Permits.ask(semaphores, second, 1);
    Permits.ask(semaphores, third, 1);
    sql.execute("UPDATE syncguard_permits SET deadline_ms = 1 WHERE state = 'held'");
    sql.execute("UPDATE syncguard_semaphores SET due_ms = 1");
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, ACQUIRE, NAME, third.id().value());
      CompletableFuture<List<PermitState>> asked =
          inBackground(() -> ask(Permits.heartbeat(third)));
      awaitBlocked(1);
      other.commit();
      assertThat(got(asked)).containsExactly(PermitState.WAITING);
    }
    assertThat(withASlot()).containsExactly(second.id().value());
  }

  @Test
  void whoComesWhileTheLastOneGoesFindsTheNameUnused() throws Exception {
    Permits.ask(semaphores, first, 1);
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, RELEASE, NAME, first.id().value());
      CompletableFuture<PermitAttempt> asked =
          inBackground(() -> Permits.ask(semaphores, second, 5));
      awaitBlocked(1);
      other.commit();
      assertThat(got(asked)).isInstanceOf(PermitAttempt.Held.class);
    }
    assertThat(sql.rows("SELECT slots, taken FROM syncguard_semaphores"))
        .containsExactly(Map.of("slots", 5L, "taken", 1L));
  }

  @Test
  void namesDoNotWaitForEachOtherNorForALockOfTheSameName() throws Exception {
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, ACQUIRE, NAME, first.id().value());
      Sql.rowsOn(other, "SELECT pg_advisory_xact_lock(hashtext('m'))");
      assertThat(Permits.ask(semaphores, newPermit("m"), 1)).isInstanceOf(PermitAttempt.Held.class);
    }
  }
}
