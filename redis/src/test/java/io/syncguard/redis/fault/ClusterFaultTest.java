package io.syncguard.redis.fault;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.LogCapture;
import io.syncguard.redis.RedisFixture;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.redis.lock.ClusterLayout;
import io.syncguard.redis.lock.KeyLayout;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Finding.Level;
import io.syncguard.spi.ResourceKey;
import io.syncguard.testkit.scan.ScanSuite;
import io.syncguard.testkit.server.RedisCluster;
import io.syncguard.testkit.server.RedisServer;
import io.syncguard.testkit.server.SlotMove;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slots that move while locks are held in them, and a cluster that refuses the store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterFaultTest {

  private static final KeyLayout LAYOUT = new ClusterLayout(RedisOptions.DEFAULT_KEY_PREFIX);
  private static final String KEY = "moving";
  private static final int SLOT = slotOf(KEY);

  private RedisCluster cluster;
  private SyncGuard guard;
  private Locks locks;

  static int slotOf(String key) {
    return SlotHash.getSlot(LAYOUT.names(ResourceKey.of(key)).lockKey());
  }

  @BeforeAll
  void start() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @BeforeEach
  void open() {
    guard = SyncGuard.open(RedisFixture.uri(cluster), GuardOptions.defaults().withKeepOnClose());
    locks = guard.locks();
  }

  @AfterEach
  void close() {
    guard.close();
  }

  private SlotMove beginMove() {
    int from = cluster.shardOf(SLOT);
    return cluster.beginSlotMove(SLOT, from, (from + 1) % 3);
  }

  @Test
  void aHeldLockIsExtendedAndReleasedWhileItsSlotMigrates() {
    LockHandle lock = take(locks, KEY, WayToWait.HOUR);
    SlotMove move = beginMove();
    assertThat(lock.extend(WayToWait.HOUR).isExtended()).isTrue();
    move.moveKeys();
    // From here on the old master answers ASK.
    assertThat(locks.isLocked(KEY)).isTrue();
    assertThat(locks.owns(lock.lockId())).isTrue();
    assertThat(lock.extend(WayToWait.HOUR).isExtended()).isTrue();
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
    move.finish();
    assertThat(locks.isLocked(KEY)).isFalse();
  }

  /**
   * A new lock needs keys that are not there yet, for which Redis answers TRYAGAIN until the slot
   * has arrived: an acquisition of one of its keys waits for that long.
   */
  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void anAcquisitionWaitsUntilTheSlotHasMigrated(WayToWait waiter) throws Exception {
    LockHandle before = take(locks, KEY, WayToWait.HOUR);
    before.release();
    SlotMove move = beginMove();
    move.moveKeys();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> locks.tryLock(KEY, WayToWait.HOUR));
    CompletableFuture<LockHandle> waiting = waiter.waitFor(locks, KEY, WayToWait.PERSISTENT);
    move.finish();
    LockHandle after = WayToWait.got(waiting);
    assertThat(after.fence().toLong()).isEqualTo(before.fence().toLong() + 1);
    assertThat(after.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aClientThatDoesNotKnowOfAMoveIsSentOn() {
    LockHandle held = take(locks, KEY, WayToWait.HOUR);
    beginMove().finish();
    // The first thing that this client asks of the slot is answered MOVED.
    assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
    LockHandle next = take(locks, KEY, WayToWait.HOUR);
    assertThat(next.fence().toLong()).isEqualTo(held.fence().toLong() + 1);
    assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterGetsTheLockOfASlotThatMoved(WayToWait waiter) throws Exception {
    LockHandle held = take(locks, KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> waiting = waiter.waitFor(locks, KEY, WayToWait.PERSISTENT);
    beginMove().finish();
    held.release();
    LockHandle next = WayToWait.got(waiting);
    assertThat(next.fence().isNewerThan(held.fence())).isTrue();
    assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aWrongPasswordIsRefusedOnConnecting() {
    String uri = uriFor("nobody:wrong-secret");
    SyncGuardException failure = assertFails(Code.AUTH_FAILED, () -> RedisStore.connect(uri));
    assertThat(Throwables.getStackTrace(failure)).doesNotContain("wrong-secret");
  }

  @Test
  void aUserWhoMayNotAskForInfoIsServedWithOneWarning() {
    for (int shard = 0; shard < 3; shard++) {
      for (RedisServer node : List.of(cluster.master(shard), cluster.replica(shard))) {
        node.command("ACL", "SETUSER", "uninformed", "on", ">pw", "~*", "&*", "+@all", "-info");
      }
    }
    try (LogCapture log = new LogCapture();
        SyncGuard uninformed = SyncGuard.open(uriFor("uninformed:pw"))) {
      assertThat(take(uninformed.locks(), "uninformed", WayToWait.HOUR).release())
          .isEqualTo(ReleaseResult.RELEASED);
      assertThat(log.warnings()).singleElement().asString().contains("INFO");
    }
  }

  @Test
  void whatIsWrongWithOneMasterIsFoundThereAndTheRestOnce() {
    RedisServer unfit = cluster.master(1);
    unfit.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    String uri = RedisFixture.uri(cluster);
    try (RedisStore store = RedisStore.connect(uri, RedisFixture.OPTIONS)) {
      List<Finding> found = store.examine();
      assertThat(found)
          .filteredOn(finding -> finding.level() == Level.FAILURE)
          .singleElement()
          .satisfies(finding -> assertThat(finding.subject()).isEqualTo("eviction"))
          .satisfies(
              finding -> assertThat(finding.detail()).endsWith("(127.0.0.1:" + unfit.port() + ")"));
      assertThat(found)
          .extracting(Finding::subject)
          .containsExactlyInAnyOrder(
              "version",
              "eviction",
              "eviction",
              "persistence",
              "replication",
              "waiting",
              "queue",
              "messages");
    } finally {
      unfit.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
  }

  @Test
  void aSemaphoreWithoutItsTagIsLeftOutOfTheList() {
    String stray = "adv-sem:semaphore_max:x";
    cluster.master(cluster.shardOf(cluster.slot(stray))).command("SET", stray, "1");
    Permit held = guard.semaphore("x", 1).acquire();
    try (RedisStore store = RedisStore.connect(RedisFixture.uri(cluster))) {
      assertThat(ScanSuite.all(store.scanSemaphores()))
          .extracting(SemaphoreStats::name)
          .containsExactly("x");
    }
    held.close();
  }

  private String uriFor(String userInfo) {
    return RedisFixture.uri(cluster).replace("//", "//" + userInfo + "@");
  }
}
