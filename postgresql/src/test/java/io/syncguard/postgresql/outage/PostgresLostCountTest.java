package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateLimiter;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.Views;
import io.syncguard.testkit.server.FaultyProxy;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replies to views and counts that are lost on the wire: in doubt, and not asked for again. */
class PostgresLostCountTest extends OnPostgres {

  private FaultyProxy proxy;
  private SyncGuard guard;
  private SyncGuard other;

  @BeforeEach
  void connect() {
    proxy = FaultyProxy.forwardingTo(database.address().host(), database.address().port());
    guard =
        SyncGuard.open(
            database.address().withLocalPort(proxy.port()).uri(),
            GuardOptions.defaults().withKeepOnClose());
    other = SyncGuard.open(database.uri(), GuardOptions.defaults().withKeepOnClose());
  }

  @AfterEach
  void disconnect() {
    guard.close();
    other.close();
    proxy.close();
  }

  private void assertInDoubt(String request, Runnable operation) {
    int dropped = proxy.droppedReplies();
    proxy.dropReplyTo(request);
    assertThat(assertFails(Code.SERVICE_UNAVAILABLE, operation::run).isOutcomeUnknown()).isTrue();
    assertThat(proxy.droppedReplies()).isEqualTo(dropped + 1);
  }

  @Test
  void aViewIsCountedOnceAndReportedAsInDoubt() {
    SecretId id = other.secrets().put("secret".getBytes(UTF_8), Views.of(9), TTL);
    assertInDoubt(id.value(), () -> guard.secrets().view(id));
    assertInDoubt(id.value(), () -> join(guard.secrets().async().view(id)));
    assertThat(other.secrets().peek(id)).map(SecretInfo::remaining).contains(7);
  }

  @Test
  void anIncrementIsCountedOnceAndReportedAsInDoubt() {
    String key = "the counter whose reply is lost";
    assertInDoubt(key, () -> guard.counters().increment(key, 9, TTL));
    assertThat(other.counters().current(key)).map(CounterState::count).contains(1L);
  }

  @Test
  void aPermitIsUsedOnceAndReportedAsInDoubt() {
    String name = "the limiter whose reply is lost";
    RateLimiter limiter = other.rateLimiter(name, 1, TTL, 2);
    assertInDoubt(name, () -> guard.rateLimiter(name, 1, TTL, 2).tryAcquire());
    assertThat(List.of(limiter.tryAcquire().isAllowed(), limiter.tryAcquire().isAllowed()))
        .containsExactly(true, false);
  }
}
