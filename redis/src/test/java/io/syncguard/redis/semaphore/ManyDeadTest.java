package io.syncguard.redis.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.redis.OnOneRedis;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** More waiters and holders are dead than a script forgets in one step. */
class ManyDeadTest extends OnOneRedis {

  private static final int DEAD = 2500;
  private static final int AT_A_TIME = 1000;
  private static final ResourceKey NAME = ResourceKey.of("s");
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static PermitReference newPermit() {
    return new PermitReference(NAME, PermitId.random());
  }

  private PermitAttempt acquire(PermitReference permit, int limit, boolean waits) {
    return ask(
        store, new SemaphoreOperation.Acquire(permit, limit, TIMEOUT, TIMEOUT, waits, false));
  }

  private PermitState ping(PermitReference permit) {
    return ask(store, new SemaphoreOperation.Ping(NAME, List.of(permit.id()), TIMEOUT)).get(0);
  }

  private void addDead(String... kinds) {
    for (String kind : kinds) {
      server.command(
          "EVAL",
          "for i = 1, ARGV[1] do redis.call('ZADD', KEYS[1], 1000 + i, 'dead' .. i) end",
          "1",
          key(kind),
          Integer.toString(DEAD));
    }
  }

  private static String key(String kind) {
    return "adv-sem:semaphore_" + kind + ":" + NAME.value();
  }

  private long members(String kind) {
    return (Long) server.command("ZCARD", key(kind));
  }

  @Test
  void aStepForgetsSoManyWaitersAtATime() {
    addDead("waiting", "waiting_heartbeat");
    ask(store, new SemaphoreOperation.Release(newPermit()));
    assertThat(members("waiting_heartbeat")).isEqualTo(DEAD - AT_A_TIME);
    assertThat(members("waiting")).isEqualTo(DEAD - AT_A_TIME);
  }

  @Test
  void aStepForgetsSoManyHoldersAtATime() {
    addDead("main");
    ask(store, new SemaphoreOperation.Release(newPermit()));
    assertThat(members("main")).isEqualTo(DEAD - AT_A_TIME);
  }

  @Test
  void aSlotBehindManyDeadIsFoundByTheNextThatAsks() {
    server.command("SET", key("max"), "1");
    addDead("main", "ttl", "waiting", "waiting_heartbeat");
    assertThat(acquire(newPermit(), 1, false)).isInstanceOf(PermitAttempt.Held.class);
    assertThat(members("main")).isOne();
  }

  @Test
  void theLivingBehindManyDeadGetTheirSlotsInTheirOrder() throws Exception {
    PermitReference holder = newPermit();
    PermitReference first = newPermit();
    PermitReference second = newPermit();
    acquire(holder, 1, true);
    addDead("waiting", "waiting_heartbeat");
    assertThat(acquire(first, 1, true)).isInstanceOf(PermitAttempt.Waiting.class);
    assertThat(acquire(second, 1, true)).isInstanceOf(PermitAttempt.Waiting.class);

    assertThat(ask(store, new SemaphoreOperation.Release(holder)))
        .isEqualTo(PermitReleaseResult.RELEASED);
    // One heartbeat has all the dead forgotten, in further steps.
    ping(second);
    eventually(() -> assertThat(members("main")).isOne());

    assertThat(ping(second)).isEqualTo(PermitState.WAITING);
    assertThat(acquire(first, 1, true)).isInstanceOf(PermitAttempt.Held.class);
    assertThat(members("waiting")).isOne();
  }

  @Test
  void aHeartbeatDoesNotBringBackTheDeadThatAreNotForgottenYet() {
    PermitReference holder = newPermit();
    PermitReference waiter = newPermit();
    acquire(holder, 1, true);
    acquire(waiter, 1, true);
    for (String kind : List.of("main", "waiting_heartbeat")) {
      String member =
          String.valueOf(((List<?>) server.command("ZRANGE", key(kind), "0", "0")).get(0));
      addDead(kind);
      server.command("ZADD", key(kind), "100000", member);
    }
    assertThat(ping(holder)).isEqualTo(PermitState.GONE);
    assertThat(ping(waiter)).isEqualTo(PermitState.GONE);
  }

  @Test
  void aLargerLimitIsGivenOutInSteps() {
    PermitReference holder = newPermit();
    acquire(holder, 1, true);
    server.command(
        "EVAL",
        "for i = 1, ARGV[1] do redis.call('ZADD', KEYS[1], i, 'w' .. i)"
            + " redis.call('ZADD', KEYS[2], 9999999999, 'w' .. i) end",
        "2",
        key("waiting"),
        key("waiting_heartbeat"),
        Integer.toString(DEAD));
    server.command("CONFIG", "RESETSTAT");
    assertThat(ask(store, new SemaphoreOperation.Resize(NAME, DEAD))).isTrue();
    assertThat(members("main")).isEqualTo(DEAD);
    assertThat(members("waiting")).isOne();
    assertThat(String.valueOf(server.command("INFO", "commandstats")))
        .containsPattern("cmdstat_evalsha:calls=[2-9]");
  }
}
