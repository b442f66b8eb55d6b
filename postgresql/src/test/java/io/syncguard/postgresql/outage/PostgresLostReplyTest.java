package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.sql.WayToWait;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replies that are lost after the server has done what it was asked for. */
class PostgresLostReplyTest extends OnPostgres {

  private static final String KEY = "the key whose reply is lost";

  private FaultyProxy proxy;
  private SyncGuard guard;
  private Locks clients;

  @BeforeEach
  void connect() {
    proxy = FaultyProxy.forwardingTo(database.address().host(), database.address().port());
    guard =
        SyncGuard.open(
            database.address().withLocalPort(proxy.port()).uri() + "?timeout=1s",
            GuardOptions.defaults().withKeepOnClose());
    clients = guard.locks();
    assertThat(clients.isLocked(KEY)).isFalse();
  }

  @AfterEach
  void disconnect() {
    guard.close();
    proxy.close();
  }

  private boolean isLocked() {
    return sql.number("SELECT count(*) FROM syncguard_locks") > 0;
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void theHelperGetsTheLockThatItWasGiven(WayToWait way) throws Exception {
    proxy.dropReplyTo(KEY);
    LockHandle lock = WayToWait.got(way.waitFor(clients, KEY, WayToWait.PERSISTENT));
    assertThat(proxy.droppedReplies()).isEqualTo(1);
    assertThat(lock.fence().toLong()).isEqualTo(1);
    assertThat(sql.rows("SELECT lock_id, fence, expires_at_ms FROM syncguard_locks"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row).containsEntry("lock_id", lock.lockId().value());
              assertThat(row).containsEntry("fence", lock.fence().toString());
              assertThat(row).containsEntry("expires_at_ms", lock.expiresAt().toEpochMilli());
            });
  }

  @Test
  void aSingleAttemptFailsInDoubtAndLeavesNoLockBehind() throws Exception {
    proxy.dropReplyTo(KEY);
    SyncGuardException failure =
        assertFails(Code.SERVICE_UNAVAILABLE, () -> clients.tryLock(KEY, TTL));
    assertThat(failure.isOutcomeUnknown()).isTrue();
    eventually(() -> assertThat(isLocked()).isFalse());
    assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(1);
  }

  @Test
  void anAttemptThatIsNotAnsweredInTimeLeavesNoLockBehind() throws Exception {
    proxy.freezeReplies();
    SyncGuardException failure = assertFails(Code.NETWORK_TIMEOUT, () -> clients.tryLock(KEY, TTL));
    assertThat(failure.isOutcomeUnknown()).isTrue();
    proxy.heal();
    eventually(() -> assertThat(isLocked()).isFalse());
    eventually(() -> assertThat(clients.tryLock(KEY, TTL).isAcquired()).isTrue());
  }

  @Test
  void aReleaseIsAskedForAgainAndHasReleased() {
    LockHandle lock = take(clients, KEY, TTL);
    proxy.dropReplyTo(lock.lockId().value());
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(isLocked()).isFalse();

    LockHandle second = take(clients, KEY, TTL);
    proxy.dropReplyTo(second.lockId().value());
    assertThat(join(second.releaseAsync())).isEqualTo(ReleaseResult.RELEASED);
    assertThat(proxy.droppedReplies()).isEqualTo(2);
  }

  @Test
  void anExtensionInDoubtDoesNotLengthenTheLease() {
    LockHandle lock = take(clients, KEY, TTL);
    Instant before = lock.expiresAt();
    proxy.dropReplyTo(lock.lockId().value());
    assertThat(
            assertFails(Code.SERVICE_UNAVAILABLE, () -> lock.extend(WayToWait.HOUR))
                .isOutcomeUnknown())
        .isTrue();
    assertThat(sql.number("SELECT expires_at_ms FROM syncguard_locks"))
        .isGreaterThan(before.toEpochMilli());
    assertThat(lock.expiresAt()).isEqualTo(before);
    assertThat(lock.isHeld()).isTrue();
  }
}
