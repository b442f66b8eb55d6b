package io.syncguard.redis.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.RedisFixture;
import io.syncguard.redis.RedisStore;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.testkit.server.RedisCluster;
import io.syncguard.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Queues in many slots and on many nodes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RedisClusterLockQueueTest {

  private static final int KEYS = 40;

  private final RedisCluster cluster = RedisCluster.start();
  private Store a;
  private Store b;

  @BeforeAll
  void open() {
    a = RedisStore.connect(RedisFixture.uri(cluster));
    b = RedisStore.connect(RedisFixture.uri(cluster));
  }

  @AfterAll
  void close() {
    a.close();
    b.close();
    cluster.close();
  }

  private List<String> keysOf(int shard, String pattern) {
    Object found = cluster.master(shard).command("KEYS", pattern);
    return ((List<?>) found).stream().map(String::valueOf).toList();
  }

  private List<String> keys(String pattern) {
    return IntStream.range(0, 3).boxed().flatMap(shard -> keysOf(shard, pattern).stream()).toList();
  }

  @Test
  void waitersInAllSlotsAreServedAndToldFromAllNodes() throws Exception {
    List<TestWaiter> holders = new ArrayList<>();
    List<TestWaiter> waiters = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      holders.add(TestWaiter.holder(a, "all" + i));
      waiters.add(TestWaiter.queued(b, "all" + i));
    }
    awaitSubscribed();
    for (int i = 0; i < KEYS; i++) {
      assertThat(holders.get(i).release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(waiters.get(i).told().fence().toLong()).isEqualTo(2);
      assertThat(waiters.get(i).extend().isExtended()).isTrue();
      assertThat(waiters.get(i).release()).isEqualTo(ReleaseResult.RELEASED);
    }
    assertThat(keys("*:id:queue:all*")).isEmpty();
  }

  private void awaitSubscribed() throws InterruptedException {
    eventually(
        () ->
            assertThat(
                    IntStream.range(0, 3)
                        .boxed()
                        .flatMap(
                            shard ->
                                java.util.stream.Stream.of(
                                    cluster.master(shard), cluster.replica(shard)))
                        .flatMap(
                            (RedisServer node) ->
                                ((List<?>) node.command("PUBSUB", "CHANNELS")).stream()))
                .isNotEmpty());
  }

  @Test
  void aSignOfLifeReachesEverySlotAndAnswersInOrder() {
    List<TestWaiter> waiters = new ArrayList<>();
    List<PlaceState> expected = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      TestWaiter.holder(a, "life" + i);
      TestWaiter waiter = new TestWaiter(b, "life" + i);
      if (i % 3 > 0) {
        waiter.join();
      }
      waiters.add(waiter);
      expected.add(i % 3 > 0 ? PlaceState.WAITING : PlaceState.GONE);
    }
    Collections.reverse(waiters);
    Collections.reverse(expected);
    for (int shard = 0; shard < 3; shard++) {
      for (String alive : keysOf(shard, "*:id:alive:*")) {
        cluster.master(shard).command("DEL", alive);
      }
    }
    assertThat(
            ask(
                b,
                new LockOperation.KeepWaiting(
                    waiters.stream().map(TestWaiter::reference).toList())))
        .isEqualTo(expected);
    assertThat(keys("*:id:alive:*")).hasSize(16);
  }

  /** A script counts only those that listen at its own node. */
  @Test
  void aGrantIsKeptInFullWhereListenersAreNotCounted() {
    for (int i = 0; i < 8; i++) {
      TestWaiter holder = TestWaiter.holder(a, "kept" + i);
      TestWaiter waiter = TestWaiter.queued(b, "kept" + i);
      holder.release();
      var lock = ask(a, new LockOperation.FindById(waiter.id)).orElseThrow();
      assertThat(lock.expiresAt().toEpochMilli() - lock.acquiredAt().toEpochMilli())
          .isEqualTo(2000);
    }
  }

  @Test
  void theFirstIsToldOfAReleaseByAClientThatKnowsNoQueue() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "foreign");
    TestWaiter waiter = TestWaiter.queued(b, "foreign");
    String record =
        keys("*:foreign").stream()
            .filter(k -> !k.contains(":id:") && !k.contains(":fence:"))
            .findFirst()
            .orElseThrow();
    RedisServer node = cluster.master(cluster.shardOf(cluster.slot(record)));
    eventually(
        () -> {
          waiter.keepWaiting();
          assertThat(String.valueOf(node.command("INFO", "stats")))
              .contains("tracking_total_keys:1");
        });
    waiter.looks.clear();
    node.command("DEL", record);
    waiter.toldToLook();
    assertThat(holder.release()).isEqualTo(ReleaseResult.NOT_FOUND);
  }
}
