package io.syncguard.redis.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.RedisContents;
import io.syncguard.redis.RedisStore;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Redis holds of a queue and of a grant, and what of a grant that it refuses. */
class RedisGrantTest extends OnQueues {

  static Stream<String> keys() {
    return Stream.concat(
        HostileKeys.all(),
        Stream.of(
            "k",
            "queue:k",
            "\u007f\u0080\u009f\u00a0\u2028\u2029\ufeff",
            "\b\f\r\n\t\u000b",
            "</script>",
            "\ud83d\ude80".repeat(128)));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aGrantsRecordIsTheSameToTheByte(String key) throws Exception {
    ResourceKey resource = ResourceKey.of(key);
    TestWaiter holder = TestWaiter.holder(a, key);
    TestWaiter waiter = TestWaiter.queued(b, key);
    assertThat(contents.values()).containsKey("syncguard:id:queue:" + resource.value());
    holder.release();
    Granted grant = waiter.told();
    long expires = grant.expiresAt().toEpochMilli();
    Map<String, String> expected = new TreeMap<>(contents.values());
    expected.keySet().removeIf(name -> name.startsWith("syncguard:id:alive:"));
    String lockKey = "syncguard:" + resource.value();
    assertThat(expected)
        .containsOnly(
            Map.entry(
                lockKey,
                RecordText.head(resource, waiter.id)
                    + "000000000000002\",\"acquiredAtMs\":"
                    + (expires - 2000)
                    + ",\"expiresAtMs\":"
                    + expires
                    + "}"),
            Map.entry("syncguard:id:" + waiter.id.value(), lockKey),
            Map.entry("syncguard:fence:" + lockKey, "2"));
    assertThat(waiter.extend().isExtended()).isTrue();
    assertThat(waiter.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aQueueGoesByItselfWhenAllItsProcessesHaveDied() {
    TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    server.command("PEXPIRE", QUEUE, "100000");
    waiter.join();
    assertGoesWithin(QUEUE, 60_000);
    server.command("PEXPIRE", QUEUE, "100000");
    waiter.keepWaiting();
    assertGoesWithin(QUEUE, 60_000);
    assertGoesWithin(words("KEYS", "syncguard:id:alive:*").get(0), 3000);
  }

  private void assertGoesWithin(String key, long ms) {
    assertThat(contents.all().get(key).expiresAtMs()).isBetween(1L, contents.nowMs() + ms);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "007", "1.5", "900000000000000", "99999999999999999999"})
  void aLockWhoseNextFenceIsRefusedIsReleasedAllTheSame(String counter) throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter first = TestWaiter.queued(b, "k");
    TestWaiter second = TestWaiter.queued(a, "k");
    contents.put(COUNTER, counter, RedisContents.NEVER);
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    first.toldToLook();
    assertThat(contents.all()).doesNotContainKeys(LOCK, "syncguard:id:" + holder.id.value());
    assertThat(contents.values()).containsEntry(COUNTER, counter);
    assertThat(queue()).containsExactly(first.id.value(), second.id.value());
    assertFails(Code.INTERNAL, first::await);
    assertThat(second.keepWaiting()).isEqualTo(PlaceState.WAITING);
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
    contents.put(COUNTER, "41", RedisContents.NEVER);
    second.keepWaiting();
    assertThat(second.told().fence().toLong()).isEqualTo(42);
  }

  @Test
  void aCounterThatIsNoNumberAtAllDoesNotKeepALock() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    server.command("DEL", COUNTER);
    server.command("RPUSH", COUNTER, "x");
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    waiter.toldToLook();
    assertFails(Code.INVALID_ARGUMENT, waiter::await);
  }

  @Test
  void aServerWithoutMemoryReleasesAndKeepsTheQueue() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    server.command("CONFIG", "SET", "maxmemory", "1");
    try {
      assertFails(Code.SERVICE_UNAVAILABLE, () -> new TestWaiter(b, "k").await());
      assertThat(waiter.keepWaiting()).isEqualTo(PlaceState.WAITING);
      assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
      // A script that has freed memory may use it.
      assertThat(waiter.told().fence().toLong()).isEqualTo(2);
      assertThat(waiter.release()).isEqualTo(ReleaseResult.RELEASED);
    } finally {
      server.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  @Test
  void aWaiterLearnsThatTheServerHasNoMemory() {
    TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    server.command("DEL", LOCK);
    server.command("CONFIG", "SET", "maxmemory", "1");
    try {
      assertFails(Code.SERVICE_UNAVAILABLE, waiter::await);
      assertThat(queue()).containsExactly(waiter.id.value());
    } finally {
      server.command("CONFIG", "SET", "maxmemory", "0");
    }
    assertThat(waiter.await()).isInstanceOf(Granted.class);
  }

  @Test
  void aDamagedRecordKeepsAPlaceAndDoesNotFailASignOfLife() {
    TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    contents.put(LOCK, "{damaged", RedisContents.NEVER);
    assertThat(waiter.keepWaiting()).isEqualTo(PlaceState.WAITING);
    assertThat(contents.values()).containsEntry(LOCK, "{damaged");
    assertFails(Code.INTERNAL, waiter::await);
    assertFails(Code.INTERNAL, waiter::release);
    assertThat(waiter.keepWaiting()).isEqualTo(PlaceState.GONE);
  }

  @Test
  void isLockedWithCleanupServesTheNext() throws Exception {
    Store cleaning = RedisStore.connect(server.uri() + "?cleanupInIsLocked=true");
    try {
      for (long ago : new long[] {1500, 3000}) {
        TestWaiter.holder(a, "k");
        TestWaiter waiter = TestWaiter.queued(b, "k");
        expire(ago);
        eventually(
            () -> {
              ask(cleaning, new LockOperation.IsLocked(ResourceKey.of("k")));
              assertThat(waiter.grants).hasSize(1);
            });
        waiter.release();
        assertNothingIsLeft();
      }
    } finally {
      cleaning.close();
    }
  }

  @Test
  void aProcessThatHearsNothingIsGivenLessTime() throws Exception {
    server.command("ACL", "SETUSER", "deaf", "on", ">secret", "~*", "+@all", "resetchannels");
    Store deaf = RedisStore.connect(server.uri().replace("://", "://deaf:secret@"));
    try {
      TestWaiter holder = TestWaiter.holder(a, "k");
      TestWaiter waiter = TestWaiter.queued(deaf, "k");
      long before = contents.nowMs();
      holder.release();
      assertThat(
              ask(a, new LockOperation.FindById(waiter.id))
                  .orElseThrow()
                  .expiresAt()
                  .toEpochMilli())
          .isBetween(before + 500, contents.nowMs() + 500);
      assertGoesWithin(words("KEYS", "syncguard:id:alive:*").get(0), 1000);
      assertThat(waiter.keepWaiting()).isEqualTo(PlaceState.GONE);
      assertThat(waiter.await()).isInstanceOf(Granted.class);
      // Nor may it publish; the next learns of it by its own sign of life.
      TestWaiter next = TestWaiter.queued(a, "k");
      assertThat(waiter.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(next.keepWaiting()).isEqualTo(PlaceState.GONE);
      assertThat(next.await()).isInstanceOf(Granted.class);
    } finally {
      deaf.close();
    }
  }

  @Test
  void aFirstWaiterThatHearsNoMessagesIsToldByTheRecord() throws Exception {
    server.command("ACL", "SETUSER", "deaf", "on", ">secret", "~*", "+@all", "resetchannels");
    Store deaf = RedisStore.connect(server.uri().replace("://", "://deaf:secret@"));
    try {
      TestWaiter holder = TestWaiter.holder(a, "k");
      TestWaiter waiter = TestWaiter.queued(deaf, "k");
      watchedAsFirst(waiter);
      eventually(() -> assertThat(waiter.isTold()).isFalse());
      holder.release();
      waiter.toldToLook();
      assertThat(waiter.await()).isInstanceOf(Granted.class);
    } finally {
      deaf.close();
    }
  }

  /** Has a waiter show that it lives, as the first, until Redis tracks the record for it. */
  private void watchedAsFirst(TestWaiter waiter) throws InterruptedException {
    eventually(
        () -> {
          waiter.keepWaiting();
          assertThat(String.valueOf(server.command("INFO", "clients")))
              .doesNotContain("tracking_clients:0");
          assertThat(String.valueOf(server.command("INFO", "stats")))
              .contains("tracking_total_keys:1");
        });
    waiter.looks.clear();
  }

  @Test
  void theFirstIsToldOfAReleaseByAClientThatKnowsNoQueue() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    watchedAsFirst(waiter);
    holder.extend();
    // The record is looked at again after a change.
    eventually(
        () ->
            assertThat(String.valueOf(server.command("INFO", "stats")))
                .contains("tracking_total_keys:1"));
    assertThat(waiter.looks).isEmpty();
    server.command("DEL", LOCK, "syncguard:id:" + holder.id.value());
    waiter.toldToLook();
    assertThat(waiter.await()).isInstanceOf(Granted.class);
    waiter.release();
    assertNothingIsLeft();
  }

  @Test
  void theFirstBehindAnotherLibrarysLockIsToldAtOnce() throws Exception {
    PlainClient foreign = new PlainClient(server, "k");
    assertThat(foreign.acquire()).isTrue();
    TestWaiter waiter = TestWaiter.queued(b, "k");
    TestWaiter second = TestWaiter.queued(b, "k");
    eventually(
        () ->
            assertThat(String.valueOf(server.command("INFO", "stats")))
                .contains("tracking_total_keys:1"));
    waiter.looks.clear();
    assertThat(foreign.release()).isTrue();
    waiter.toldToLook();
    assertThat(foreign.acquire()).as("as fast as the waiter").isTrue();
    assertThat(waiter.join()).isPositive();
    assertThat(foreign.release()).isTrue();
    waiter.toldToLook();
    assertThat(waiter.await()).isInstanceOf(Granted.class);
    assertThat(second.looks).isEmpty();
  }

  @Test
  void aSignOfLifeFindsALockThatWasDeleted() throws Exception {
    TestWaiter.holder(a, "k");
    TestWaiter first = TestWaiter.queued(a, "k");
    TestWaiter second = TestWaiter.queued(b, "k");
    server.command("DEL", LOCK);
    assertThat(second.keepWaiting()).isEqualTo(PlaceState.WAITING);
    assertThat(first.told().fence().toLong()).isEqualTo(2);
  }

  @Test
  void aForgedMessageMakesAWaiterLookAtTheMost() throws Exception {
    TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    String channel =
        words("PUBSUB", "CHANNELS").stream()
            .filter(name -> words("ZRANGE", QUEUE, "0", "0").get(0).contains(name.substring(17)))
            .findFirst()
            .orElseThrow();
    server.command("PUBLISH", channel, "");
    server.command("PUBLISH", channel, "?".repeat(21));
    server.command("PUBLISH", channel, LockId.random().value() + "000000000000002\"");
    server.command("PUBLISH", channel, waiter.id.value() + "nonsense");
    waiter.toldToLook();
    server.command("PUBLISH", channel, waiter.id.value());
    waiter.toldToLook();
    assertThat(waiter.grants).isEmpty();
  }

  @Test
  void aWaiterThatIsNoLongerWatchedIsToldNothing() {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(a, "k");
    waiter.close();
    holder.release();
    assertThat(waiter.grants).isEmpty();
    assertThat(waiter.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void tenThousandWaitersCostOneAsMuchAsTen() {
    TestWaiter holder = TestWaiter.holder(a, "k");
    LockReference[] waiters = new LockReference[10_000];
    ResourceKey key = ResourceKey.of("k");
    for (int i = 0; i < waiters.length; i++) {
      waiters[i] = new LockReference(LockId.random(), key);
      ask(a, new LockOperation.Acquire(key, waiters[i].lockId(), Duration.ofSeconds(30), true));
    }
    assertThat(queue()).hasSize(10_000);
    server.command("CONFIG", "RESETSTAT");
    holder.release();
    for (LockReference waiter : List.of(waiters).subList(0, 5000)) {
      assertThat(ask(a, new LockOperation.Release(waiter))).isEqualTo(ReleaseResult.RELEASED);
    }
    // One look at the first for each hand-off, whatever the length of the queue.
    assertThat(calls("zrange")).isEqualTo(5001);
    assertThat(calls("zrem")).isEqualTo(5001);
    for (LockReference waiter : List.of(waiters).subList(5001, 10_000)) {
      assertThat(ask(a, new LockOperation.Release(waiter))).isEqualTo(ReleaseResult.RELEASED);
    }
    assertThat(ask(a, new LockOperation.Release(waiters[5000]))).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft();
  }

  @Test
  void tenThousandDeadWaitersAreDroppedAThousandAtATime() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    for (int i = 0; i < 10_000; i += 100) {
      String[] join = new String[202];
      join[0] = "ZADD";
      join[1] = QUEUE;
      for (int j = 0; j < 100; j++) {
        join[2 + 2 * j] = Integer.toString(i + j);
        join[3 + 2 * j] = LockId.random().value() + "C" + "d".repeat(22);
      }
      server.command(join);
    }
    TestWaiter alive = TestWaiter.queued(b, "k");
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    alive.told();
    assertThat(calls("zremrangebyrank")).isEqualTo(10);
    alive.release();
    assertNothingIsLeft();
  }
}
