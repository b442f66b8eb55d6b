package io.syncguard.redis.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.connection.OwnClient;
import io.syncguard.redis.connection.RedisTls;
import io.syncguard.redis.connection.StandaloneConnections;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.semaphore.GrantLease;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Redis keeps of waiters that are listened for: nothing that grows. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GrantListenerTest {

  private static final int WAITERS = 600;
  private static final int KEPT_AT_MOST = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(50);

  private final RedisServer server = RedisServer.start();
  private final SyncGuard guard =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());
  private final FairSemaphore semaphore = guard.semaphore("listened", 1);

  @AfterEach
  void stopServer() {
    guard.close();
    server.close();
  }

  @Test
  void redisForgetsWaitersThatWereToldByTheirOwnProcess() throws Exception {
    Permit held = semaphore.acquire();
    List<CompletableFuture<?>> handedOver =
        Stream.generate(() -> semaphore.async().acquire(PATIENCE).thenCompose(Permit::releaseAsync))
            .limit(WAITERS)
            .<CompletableFuture<?>>map(stage -> stage.toCompletableFuture())
            .toList();
    eventually(() -> assertThat(listenedTo()).isEqualTo(WAITERS));
    held.close();
    handedOver.forEach(CompletableFuture::join);
    eventually(() -> assertThat(listenedTo()).isLessThan(KEPT_AT_MOST));
    assertThat((List<?>) server.command("KEYS", "*")).isEmpty();
  }

  @Test
  void redisForgetsWaitersThatWereToldByAnotherProcess() throws Exception {
    Permit held = semaphore.acquire();
    try (SyncGuard other = SyncGuard.open(server.uri())) {
      List<CompletableFuture<?>> passedOn = new ArrayList<>();
      for (int i = 0; i < WAITERS; i++) {
        SyncGuard client = i % 2 == 0 ? other : guard;
        passedOn.add(
            client
                .semaphore("listened", 1)
                .async()
                .acquire(PATIENCE)
                .thenCompose(Permit::releaseAsync)
                .toCompletableFuture());
        int place = i + 1;
        eventually(() -> assertThat(semaphore.stats().waiting()).isEqualTo(place));
      }
      eventually(() -> assertThat(listenedTo()).isEqualTo(WAITERS));
      held.close();
      passedOn.forEach(CompletableFuture::join);
      eventually(() -> assertThat(listenedTo()).isLessThan(2 * KEPT_AT_MOST));
    }
    assertThat((List<?>) server.command("KEYS", "*")).isEmpty();
  }

  @Test
  void redisForgetsWaitersThatLeft() throws Exception {
    Permit held = semaphore.acquire();
    List<CompletableFuture<Permit>> waiting = waiters(PATIENCE);
    eventually(() -> assertThat(listenedTo()).isEqualTo(WAITERS));
    waiting.forEach(waiter -> waiter.cancel(true));
    eventually(() -> assertThat(listenedTo()).isLessThan(KEPT_AT_MOST));
    held.close();
  }

  @Test
  void redisForgetsWaitersWhoseTimeWasUp() throws Exception {
    Permit held = semaphore.acquire();
    List<CompletableFuture<Permit>> waiting = waiters(Duration.ofSeconds(2));
    eventually(() -> assertThat(waiting).allMatch(CompletableFuture::isCompletedExceptionally));
    eventually(() -> assertThat(listenedTo()).isLessThan(KEPT_AT_MOST));
    held.close();
  }

  @Test
  void aStoreThatIsClosedLeavesNothingToRemember() throws Exception {
    Permit held = semaphore.acquire();
    try (SyncGuard brief = SyncGuard.open(server.uri())) {
      CompletableFuture<Permit> waiting =
          brief
              .semaphore("listened", 1)
              .async()
              .acquire(Duration.ofSeconds(3))
              .toCompletableFuture();
      eventually(() -> assertThat(listenedTo()).isEqualTo(1));
      eventually(() -> assertThat(waiting).isCompletedExceptionally());
    }
    assertThat(listenedTo()).isZero();
    held.close();
  }

  @Test
  void onlyWaitersThatHaveWaitedAreListenedFor() throws Exception {
    RedisURI uri = RedisURI.create(server.uri());
    try (OwnClient client =
        OwnClient.of(
            List.of(uri), false, RedisOptions.DEFAULT_COMMAND_TIMEOUT, RedisTls.OF_THE_JVM)) {
      StandaloneConnections connections =
          new StandaloneConnections(client.single(), uri, RedisOptions.DEFAULT_COMMAND_TIMEOUT);
      eventually(() -> assertThat(connections.watching("any")).isNotSameAs(connections.commands()));
      MovableTime time = MovableTime.frozen();
      GrantListener listener =
          new GrantListener(connections, new ScriptRunner(connections, PATIENCE), time);
      listener.listenSoon(newWaiter());
      time.advance(Duration.ofMillis(15));
      listener.listenSoon(newWaiter());
      time.advance(Duration.ofMillis(5));
      eventually(() -> assertThat(listenedTo()).isEqualTo(1));
      time.advance(Duration.ofMillis(20));
      eventually(() -> assertThat(listenedTo()).isEqualTo(2));
    }
  }

  private static SlotWaiter newWaiter() {
    PermitReference permit = new PermitReference(ResourceKey.of("listened"), PermitId.random());
    return new SlotWaiter(permit, permit.id().value(), WaiterHints.looking(() -> {}));
  }

  private List<CompletableFuture<Permit>> waiters(Duration patience) {
    return Stream.generate(() -> semaphore.async().acquire(patience).toCompletableFuture())
        .limit(WAITERS)
        .toList();
  }

  private long listenedTo() {
    return String.valueOf(server.command("INFO", "stats"))
        .lines()
        .filter(line -> line.startsWith("tracking_total_keys:"))
        .mapToLong(line -> Long.parseLong(line.split(":", -1)[1].strip()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void setsAreNotKeptAsListsOfTexts() {
    try (Permit held = semaphore.acquire()) {
      assertThat(held.isHeld()).isTrue();
      for (String kind : List.of("main", "ttl")) {
        assertThat(server.command("OBJECT", "ENCODING", "adv-sem:semaphore_" + kind + ":listened"))
            .hasToString("skiplist");
      }
    }
  }

  @Test
  void theScriptsKnowHowLongAGrantIsKept() {
    assertThat(RedisScript.SEMAPHORE_RELEASE.source())
        .contains("local leaseMs = " + GrantLease.LONGEST.toMillis() + "\n");
  }
}
