package io.syncguard.redis.lock;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.scan.ScanSuite.all;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisFixture;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.secret.Views;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;

/** What a list is made from, and what is left out of it. */
class RedisScanTest extends OnOneRedis {

  private RedisStore listed;

  @BeforeAll
  void openStore() {
    listed = open(RedisFixture.OPTIONS);
  }

  private RedisStore openWithPrefix(String prefix) {
    return open(RedisFixture.OPTIONS.withKeyPrefix(prefix));
  }

  private void storeLive(ForeignLock lock, String record) {
    lock.store(contents, record, contents.nowMs() + 60_000);
  }

  @Test
  void anEmptyServerHasNothingToList() {
    assertThat(all(listed.scanLocks())).isEmpty();
    assertThat(all(listed.scanSemaphores())).isEmpty();
  }

  @Test
  void damagedRecordsAreLeftOutAndTheOthersListed() {
    ForeignLock sound = ForeignLock.on("sound");
    storeLive(sound, sound.record(contents.nowMs() + 60_000));
    String later = Long.toString(contents.nowMs() + 60_000);
    for (Named<String> damaged : RedisCorruptRecordsTest.damagedRecords().toList()) {
      ForeignLock lock = ForeignLock.on(damaged.getName());
      String record = damaged.getPayload().replace("$expires", later);
      storeLive(lock, record.replace("$id", lock.lockId().value()));
    }
    ForeignLock nameless = ForeignLock.on("nameless");
    storeLive(nameless, nameless.record(contents.nowMs() + 60_000).replace("\"nameless\"", "\"\""));
    server.command("RPUSH", "syncguard:list", "a");
    assertThat(all(listed.scanLocks()))
        .extracting(RawLockInfo::lockId)
        .containsExactly(sound.lockId());
  }

  @Test
  void locksOfALongerPrefixAreNotListed() {
    RedisStore longer = openWithPrefix("syncguard:longer");
    acquire(longer, "theirs", LockId.random());
    acquire(listed, "ours", LockId.random());
    assertThat(all(listed.scanLocks())).extracting(RawLockInfo::key).containsExactly("ours");
    assertThat(all(longer.scanLocks())).extracting(RawLockInfo::key).containsExactly("theirs");
  }

  @Test
  void aPrefixIsNoPattern() {
    RedisStore odd = openWithPrefix("a*b?[c]\\d");
    acquire(odd, "ours", LockId.random());
    acquire(openWithPrefix("a*bX[c]\\d"), "theirs", LockId.random());
    assertThat(all(odd.scanLocks())).extracting(RawLockInfo::key).containsExactly("ours");
  }

  @Test
  void whatElseIsStoredIsNoLock() {
    try (SyncGuard guard = SyncGuard.open(server.uri())) {
      String record = ForeignLock.on("k").record(contents.nowMs() + 60_000);
      guard
          .secrets()
          .put(record.getBytes(StandardCharsets.UTF_8), Views.of(1), Duration.ofMinutes(1));
      guard.counters().increment("k", 10, Duration.ofMinutes(1));
      guard.rateLimiter("k", 1, Duration.ofSeconds(1), 1).tryAcquire();
    }
    assertThat(all(listed.scanLocks())).isEmpty();
  }

  @Test
  void damagedSemaphoresAreLeftOutAndTheOthersListed() {
    server.command("SET", "adv-sem:semaphore_max:", "1");
    server.command("SET", "adv-sem:semaphore_max:damaged", "1");
    server.command("SET", "adv-sem:semaphore_main:damaged", "no set");
    try (SyncGuard guard = SyncGuard.open(server.uri())) {
      guard.semaphore("sound", 1).acquire();
      assertThat(all(listed.scanSemaphores()))
          .extracting(SemaphoreStats::name)
          .containsExactly("sound");
      assertThat(guard.semaphores().stats())
          .extracting(SemaphoreStats::name)
          .containsExactly("sound");
    }
  }

  @Test
  void keysAreScannedAndNeverAskedForAllAtOnce() {
    acquire(listed, "k", LockId.random());
    server.command("CONFIG", "RESETSTAT");
    assertThat(all(listed.scanLocks())).hasSize(1);
    all(listed.scanSemaphores());
    assertThat(String.valueOf(server.command("INFO", "commandstats")))
        .contains("cmdstat_scan:calls=2")
        .doesNotContain("cmdstat_keys");
  }

  @Test
  void onAServerThatHangsAWalkEndsInTime() {
    RedisStore brief = open(RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(200)));
    Scan<RawLockInfo> scan = brief.scanLocks();
    server.pause();
    try {
      assertFails(Code.NETWORK_TIMEOUT, () -> scan.next(NEVER));
    } finally {
      server.resume();
    }
  }

  @Test
  void aClosedStoreListsNothing() {
    Store closed = RedisStore.connect(server.uri());
    Scan<RawLockInfo> begun = closed.scanLocks();
    closed.close();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> begun.next(NEVER));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> closed.scanLocks().next(NEVER));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> closed.scanSemaphores().next(NEVER));
  }
}
