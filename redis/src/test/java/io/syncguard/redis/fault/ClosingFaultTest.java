package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.redis.LogCapture;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.secret.Views;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.lock.LockSuite;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a store leaves behind when it is closed: nothing of its own, and all that is not. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingFaultTest {

  private static final String KEY = "k";

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void whatIsUsedForTheFirstTimeAfterClosingFailsForGood() {
    SyncGuard guard = SyncGuard.open(server.uri());
    guard.close();
    Duration time = Duration.ofMinutes(1);
    List<ThrowingCallable> uses =
        List.of(
            () -> guard.locks().tryLock(KEY),
            () -> guard.semaphore(KEY, 1).tryAcquire(),
            () -> guard.secrets().put(new byte[1], Views.of(1), time),
            () -> guard.counters().increment(KEY, 1, time),
            () -> guard.rateLimiter(KEY, 1, time, 1).tryAcquire());
    for (ThrowingCallable use : uses) {
      SyncGuardException failure = LockSuite.assertFails(Code.SERVICE_UNAVAILABLE, use);
      assertThat(failure.isTransient()).isFalse();
    }
  }

  @Test
  void aClientThatTheUserGaveStaysOpenAndTheStoresConnectionsDoNot() throws Exception {
    RedisURI uri = RedisURI.create(server.uri());
    RedisClient client = RedisClient.create();
    try (StatefulRedisConnection<String, String> users = client.connect(uri)) {
      long before = connections();
      SyncGuard guard = SyncGuard.over(RedisStore.over(client, uri, RedisOptions.defaults()));
      openEveryConnectionOf(guard);
      assertThat(connections()).isEqualTo(before + 3);

      guard.close();

      eventually(() -> assertThat(connections()).isEqualTo(before));
      assertThat(users.sync().ping()).isEqualTo("PONG");
      try (StatefulRedisConnection<String, String> another = client.connect(uri)) {
        assertThat(another.sync().ping()).isEqualTo("PONG");
      }
    } finally {
      client.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  @Test
  void ourOwnClientLeavesNeitherThreadsNorConnections() throws Exception {
    Set<Thread> threadsBefore = lettuceThreads();
    long before = connections();
    SyncGuard guard = SyncGuard.open(server.uri());
    openEveryConnectionOf(guard);
    assertThat(lettuceThreads()).hasSizeGreaterThan(threadsBefore.size());

    guard.close();

    eventually(() -> assertThat(connections()).isEqualTo(before));
    eventually(() -> assertThat(lettuceThreads()).isSubsetOf(threadsBefore));
  }

  @Test
  void aConnectThatFailsLeavesNoThreads() throws Exception {
    Set<Thread> threadsBefore = lettuceThreads();
    server.stop();
    LockSuite.assertFails(Code.SERVICE_UNAVAILABLE, () -> RedisStore.connect(server.uri()));
    eventually(() -> assertThat(lettuceThreads()).isSubsetOf(threadsBefore));
  }

  @Test
  void aWaiterIsToldWhenTheGuardIsClosed() throws Exception {
    SyncGuard guard = SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());
    take(guard.locks(), KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> blocked =
        WayToWait.BLOCKING.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
    CompletableFuture<LockHandle> async =
        WayToWait.ASYNC.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
    WayToWait.awaitTracked(server);
    guard.close();
    LockSuite.assertFails(Code.SERVICE_UNAVAILABLE, () -> LockSuite.join(blocked));
    LockSuite.assertFails(Code.SERVICE_UNAVAILABLE, () -> LockSuite.join(async));
    // It was told to keep what is held.
    assertThat(server.command("EXISTS", "syncguard:" + KEY)).isEqualTo(1L);
  }

  @Test
  void anInterruptedThreadClosesEverythingAndStaysInterrupted() throws Exception {
    Set<Thread> threadsBefore = lettuceThreads();
    SyncGuard guard = SyncGuard.open(server.uri());
    openEveryConnectionOf(guard);
    Thread.currentThread().interrupt();
    guard.close();
    assertThat(Thread.interrupted()).isTrue();
    eventually(() -> assertThat(lettuceThreads()).isSubsetOf(threadsBefore));
  }

  @Test
  void aThreadOfTheDriversMayCloseTheStore() throws Exception {
    Set<Thread> threadsBefore = lettuceThreads();
    RedisStore store = RedisStore.connect(server.uri());
    CompletableFuture<Thread> closed = new CompletableFuture<>();
    server.pause();
    store
        .execute(new LockOperation.IsLocked(ResourceKey.of(KEY)), Call.plain())
        .thenRun(
            () -> {
              store.close();
              closed.complete(Thread.currentThread());
            });
    server.resume();
    assertThat(closed.get(30, TimeUnit.SECONDS).getName()).startsWith("lettuce");
    eventually(() -> assertThat(lettuceThreads()).isSubsetOf(threadsBefore));
  }

  @Test
  void closingTwiceIsNothingToWarnOf() throws Exception {
    RedisStore store = RedisStore.connect(server.uri());
    openEveryConnectionOf(SyncGuard.over(store));
    try (LogCapture log = new LogCapture()) {
      store.close();
      store.close();
      assertThat(log.driversWarnings()).isEmpty();
    }
  }

  /** The shared one, and by a wait the two on which waiters are told. */
  private void openEveryConnectionOf(SyncGuard guard) throws Exception {
    LockHandle held = take(guard.locks(), KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> waiting =
        WayToWait.ASYNC.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
    WayToWait.awaitTracked(server);
    held.release();
    WayToWait.got(waiting).release();
  }

  /** All but the one that asks. */
  private long connections() {
    return String.valueOf(server.command("CLIENT", "LIST")).lines().count() - 1;
  }

  private static Set<Thread> lettuceThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("lettuce-"))
        .collect(Collectors.toSet());
  }
}
