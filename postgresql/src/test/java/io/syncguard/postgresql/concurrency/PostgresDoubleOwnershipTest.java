package io.syncguard.postgresql.concurrency;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.concurrency.ReferenceClient.Step;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No other client's statement, wherever it comes in between, makes two owners of a lock. */
class PostgresDoubleOwnershipTest extends OnPostgres {

  private static final String KEY = "k";
  private static final String EXTEND =
      "UPDATE syncguard_locks SET expires_at_ms = " + NOW + " + 300000 WHERE key = ?";

  private final LockId holder = LockId.random();

  private void storeExpiredLock() {
    storeLock(KEY, holder.value(), "000000000000007", Duration.ofSeconds(-2));
  }

  private String owner() {
    return String.valueOf(sql.value("SELECT lock_id FROM syncguard_locks WHERE key = ?", KEY));
  }

  @Test
  void anExtensionThatIsCommittedWhileWeAcquireKeepsTheLock() throws Exception {
    storeExpiredLock();
    try (Connection extending = sql.begin()) {
      Sql.rowsOn(extending, EXTEND, KEY);
      CompletableFuture<AcquireAttempt> attempt = inBackground(() -> acquire(KEY, LockId.random()));
      awaitBlocked(1);
      extending.commit();
      assertThat(attempt.get(20, TimeUnit.SECONDS)).isInstanceOf(Held.class);
    }
    assertThat(
            sql.rows(
                "SELECT lock_id, fence, expires_at_ms > ? AS extended FROM syncguard_locks",
                System.currentTimeMillis() + 60_000))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row).containsEntry("lock_id", holder.value());
              assertThat(row).containsEntry("fence", "000000000000007");
              assertThat(row).containsEntry("extended", true);
            });
  }

  @Test
  void anExtensionThatIsUndoneWhileWeAcquireLeavesUsTheLock() throws Exception {
    storeExpiredLock();
    LockId lockId = LockId.random();
    try (Connection extending = sql.begin()) {
      Sql.rowsOn(extending, EXTEND, KEY);
      CompletableFuture<AcquireAttempt> attempt = inBackground(() -> acquire(KEY, lockId));
      awaitBlocked(1);
      extending.rollback();
      assertThat(attempt.get(20, TimeUnit.SECONDS)).isInstanceOf(Granted.class);
    }
    assertThat(owner()).isEqualTo(lockId.value());
  }

  @Test
  void aRowThatIsInsertedWithoutTakingTurnsIsKept() throws Exception {
    try (Connection inserting = sql.begin()) {
      Sql.rowsOn(
          inserting,
          "INSERT INTO syncguard_locks VALUES (?, ?, " + NOW + " + 300000, 0, ?, ?)",
          KEY,
          holder.value(),
          "000000000000007",
          KEY);
      CompletableFuture<AcquireAttempt> attempt = inBackground(() -> acquire(KEY, LockId.random()));
      awaitBlocked(1);
      inserting.commit();
      assertThat(attempt.get(20, TimeUnit.SECONDS)).isInstanceOf(Held.class);
    }
    assertThat(owner()).isEqualTo(holder.value());
  }

  /** Shows that the schedule above makes two owners where no client looks again. */
  @Test
  void theReferenceOverwritesTheSameExtension() throws Exception {
    storeExpiredLock();
    try (Connection extending = sql.begin();
        ReferenceClient reference = new ReferenceClient(sql, KEY)) {
      Sql.rowsOn(extending, EXTEND, KEY);
      List.of(Step.LOCK_KEY, Step.LOOK, Step.COUNT_FENCE).forEach(reference::perform);
      extending.commit();
      List.of(Step.OVERWRITE, Step.COMMIT).forEach(reference::perform);
      assertThat(reference.believesToOwn()).isTrue();
      assertThat(owner()).isEqualTo(reference.lockId().value());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionOfTheReferenceAroundOursLeavesOneOwner(boolean expiredBefore) throws Exception {
    for (int before = 0; before <= Step.values().length; before++) {
      emptyTheTables();
      if (expiredBefore) {
        storeExpiredLock();
      }
      LockId lockId = LockId.random();
      try (ReferenceClient reference = new ReferenceClient(sql, KEY)) {
        List<Step> steps = List.of(Step.values());
        steps.subList(0, before).forEach(reference::perform);
        CompletableFuture<AcquireAttempt> attempt = inBackground(() -> acquire(KEY, lockId));
        awaitBlockedOrDone(attempt);
        steps.subList(before, steps.size()).forEach(reference::perform);
        boolean attemptOwns = attempt.get(20, TimeUnit.SECONDS) instanceof Granted;
        assertThat(attemptOwns)
            .as("after %s steps", before)
            .isNotEqualTo(reference.believesToOwn());
        assertThat(owner()).isEqualTo((attemptOwns ? lockId : reference.lockId()).value());
      }
    }
  }

  @Test
  void aTransactionOfTheReferenceWaitsForOursThatIsUnderWay() throws Exception {
    storeExpiredLock();
    LockId lockId = LockId.random();
    try (Connection blocking = sql.begin();
        ReferenceClient reference = new ReferenceClient(sql, KEY)) {
      Sql.rowsOn(blocking, "SELECT 1 FROM syncguard_locks WHERE key = ? FOR UPDATE", KEY);
      CompletableFuture<AcquireAttempt> attempt = inBackground(() -> acquire(KEY, lockId));
      awaitBlocked(1);
      CompletableFuture<Void> theirs =
          inBackground(
              () -> {
                List.of(Step.values()).forEach(reference::perform);
                return null;
              });
      eventually(
          () ->
              assertThat(
                      sql.number(
                          "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
                              + " AND NOT granted"))
                  .isEqualTo(1));
      blocking.commit();
      assertThat(attempt.get(20, TimeUnit.SECONDS)).isInstanceOf(Granted.class);
      theirs.get(20, TimeUnit.SECONDS);
      assertThat(reference.believesToOwn()).isFalse();
    }
    assertThat(owner()).isEqualTo(lockId.value());
  }

  /**
   * We found the lock alive and are about to commit that it lives on; meanwhile it would have
   * expired. The trigger holds the acquisition up there.
   */
  @Test
  void theReferenceDoesNotOverwriteWhatWeAreAboutToExtend() throws Exception {
    sql.execute(
        "CREATE FUNCTION held_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM pg_advisory_xact_lock_shared(1, 1); RETURN new; END $$");
    LockId lockId = LockId.random();
    ask(new LockOperation.Acquire(ResourceKey.of(KEY), lockId, Duration.ofMillis(100), false));
    sql.execute(
        "CREATE TRIGGER held_up BEFORE UPDATE ON syncguard_locks"
            + " FOR EACH ROW EXECUTE FUNCTION held_up()");
    try (Connection gate = sql.begin();
        ReferenceClient reference = new ReferenceClient(sql, KEY)) {
      Sql.rowsOn(gate, "SELECT pg_advisory_xact_lock(1, 1)");
      CompletableFuture<ExtendResult> extending =
          inBackground(() -> ask(new LockOperation.Extend(new LockReference(lockId, null), TTL)));
      awaitBlocked(1);
      eventually(
          () ->
              assertThat(
                      sql.number("SELECT expires_at_ms + 1000 - " + NOW + " FROM syncguard_locks"))
                  .isNegative());
      CompletableFuture<Void> theirs =
          inBackground(
              () -> {
                List.of(Step.values()).forEach(reference::perform);
                return null;
              });
      eventually(
          () ->
              assertThat(sql.number("SELECT count(*) FROM pg_locks WHERE NOT granted"))
                  .isEqualTo(2));
      gate.commit();
      assertThat(extending.get(20, TimeUnit.SECONDS).isExtended()).isTrue();
      theirs.get(20, TimeUnit.SECONDS);
      assertThat(reference.believesToOwn()).isFalse();
    } finally {
      sql.execute("DROP FUNCTION held_up CASCADE");
    }
    assertThat(owner()).isEqualTo(lockId.value());
  }
}
