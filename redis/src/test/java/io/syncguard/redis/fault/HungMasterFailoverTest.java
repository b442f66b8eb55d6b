package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.redis.RedisFixture;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.testkit.server.RedisCluster;
import io.syncguard.testkit.server.RedisSentinel;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A master that hangs and is replaced, while its connections stay open. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HungMasterFailoverTest {

  private static final RedisOptions IMPATIENT =
      RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(500));

  @Test
  void sentinelsNewMasterIsFound() throws Exception {
    try (RedisSentinel sentinel = RedisSentinel.start()) {
      String uri = RedisFixture.uri(sentinel);
      theNewMasterIsFound(
          uri, "k", sentinel::master, () -> sentinel.replicas().get(0), sentinel::pauseMaster);
    }
  }

  @Test
  void aShardsNewMasterIsFound() throws Exception {
    try (RedisCluster cluster = RedisCluster.start()) {
      String uri = RedisFixture.uri(cluster);
      int shard = cluster.shardOf(cluster.slot("{k}"));
      theNewMasterIsFound(
          uri,
          "k",
          () -> cluster.master(shard),
          () -> cluster.replica(shard),
          () -> cluster.pauseMaster(shard));
    }
  }

  /** Commands, waiters on the tracked connection, and waiters for messages. */
  private static void theNewMasterIsFound(
      String uri,
      String name,
      Supplier<RedisServer> master,
      Supplier<RedisServer> replica,
      Runnable pauseMaster)
      throws Exception {
    try (SyncGuard guard = SyncGuard.over(RedisStore.connect(uri, IMPATIENT))) {
      FairSemaphore semaphore = guard.semaphore(name, 1);
      Permit permit = semaphore.acquire(WayToWait.HOUR);
      CompletableFuture<Permit> patient =
          semaphore.async().acquire(WayToWait.HOUR).toCompletableFuture();
      List<String> keys = keysOf(uri);
      List<LockHandle> held =
          keys.stream().map(key -> guard.locks().lock(key, WayToWait.PERSISTENT)).toList();
      List<CompletableFuture<LockHandle>> waiting =
          keys.stream()
              .map(key -> WayToWait.ASYNC.waitFor(guard.locks(), key, WayToWait.PERSISTENT))
              .toList();
      eventually(() -> assertThat(semaphore.stats().waiting()).isEqualTo(1));
      master.get().awaitReplicatedTo(replica.get());

      pauseMaster.run();

      for (String key : keys) {
        eventually(() -> assertThat(guard.locks().isLocked(key)).isTrue());
      }
      held.forEach(LockHandle::release);
      for (CompletableFuture<LockHandle> each : waiting) {
        WayToWait.got(each).release();
      }
      permit.release();
      patient.get(30, TimeUnit.SECONDS).close();
    }
  }

  /** Of a cluster, one for each of several slots, so that some are of the shard in question. */
  private static List<String> keysOf(String uri) {
    return uri.startsWith("redis-cluster") ? List.of("a", "b", "c", "d", "e", "f") : List.of("a");
  }
}
