package io.syncguard.redis.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.connection.Messages;
import io.syncguard.redis.connection.OwnClient;
import io.syncguard.redis.connection.RedisTls;
import io.syncguard.redis.connection.StandaloneConnections;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiters that hold a slot as soon as a script of another process says that it is theirs. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GrantNoticesTest {

  private static final String NAME = "noticed";
  private static final String MAIN = "adv-sem:semaphore_main:" + NAME;
  private static final String TTL = "adv-sem:semaphore_ttl:" + NAME;
  private static final String WAITING = "adv-sem:semaphore_waiting:" + NAME;
  private static final String CHANNELS = "syncguard:granted:";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RedisServer server = RedisServer.start();
  private final FaultyProxy proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());
  private final SyncGuard guard =
      SyncGuard.open(
          "redis://127.0.0.1:" + proxy.port(), GuardOptions.defaults().withKeepOnClose());
  private final SyncGuard other =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());
  private final FairSemaphore semaphore = guard.semaphore(NAME, 1);

  @AfterEach
  void stop() {
    guard.close();
    other.close();
    proxy.close();
    server.close();
  }

  /** Returns a waiter, whose client is by then subscribed to what is published of grants. */
  private CompletableFuture<Permit> waiter() throws Exception {
    CompletableFuture<Permit> subscribes =
        semaphore.async().acquire(PATIENCE).toCompletableFuture();
    eventually(() -> assertThat(words("PUBSUB", "CHANNELS")).hasSize(1));
    subscribes.cancel(true);
    untilWaiting(0);
    CompletableFuture<Permit> waiter = semaphore.async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(1);
    return waiter;
  }

  private void untilWaiting(int count) throws Exception {
    eventually(() -> assertThat(semaphore.stats().waiting()).isEqualTo(count));
  }

  private String waitingMember() {
    return words("ZRANGE", WAITING, "0", "0").get(0);
  }

  private List<String> words(String... command) {
    return ((List<?>) server.command(command)).stream().map(String::valueOf).toList();
  }

  private long calls(String command) {
    return String.valueOf(server.command("INFO", "commandstats"))
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":"))
        .mapToLong(line -> Long.parseLong(line.split("[=,]", -1)[1]))
        .sum();
  }

  @Test
  void aSlotIsHeldBeforeItsConfirmationIsAnswered() throws Exception {
    server.command("SCRIPT", "LOAD", RedisScript.SEMAPHORE_CONFIRM.source());
    Permit held = other.semaphore(NAME, 1).acquire();
    CompletableFuture<Permit> waiter = waiter();
    String member = waitingMember();
    proxy.dropReplyTo(RedisScript.SEMAPHORE_CONFIRM.digest());
    held.close();
    Permit permit = waiter.join();
    assertThat(permit.isHeld()).isTrue();
    assertThat(permit.slot()).isEqualTo(1);
    assertThat(permit.expiresAt())
        .isBetween(
            Instant.now().plus(Duration.ofMinutes(9)), Instant.now().plus(Duration.ofMinutes(10)));
    eventually(() -> assertThat(words("ZRANGE", TTL, "0", "-1")).containsExactly(member));
    eventually(() -> assertThat(proxy.droppedReplies()).isEqualTo(1));
    assertThat(permit.isHeld()).isTrue();
    assertThat(calls("rpush")).isZero();
    assertThat(permit.release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void aNoticeOfAGrantThatIsNotThereIsFoundOut() throws Exception {
    Permit held = other.semaphore(NAME, 1).acquire();
    CompletableFuture<Permit> waiter = waiter();
    String member = waitingMember();
    server.command("PUBLISH", words("PUBSUB", "CHANNELS").get(0), member + " 1 1794772825373");
    Permit forged = waiter.join();
    CountDownLatch lost = new CountDownLatch(1);
    forged.onLost(lost::countDown);
    assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(forged.isHeld()).isFalse();
    assertThat(words("ZRANGE", MAIN, "0", "-1")).hasSize(1).doesNotContain(member);
    held.close();
    forged.close();
  }

  @Test
  void aSlotThatIsReleasedAtOnceLeavesNothingBehind() throws Exception {
    for (int i = 0; i < 20; i++) {
      Permit held = other.semaphore(NAME, 1).acquire();
      CompletableFuture<Permit> waiter = waiter();
      held.close();
      assertThat(waiter.join().release()).isEqualTo(PermitReleaseResult.RELEASED);
      assertThat(server.command("DBSIZE")).isEqualTo(0L);
    }
  }

  @Test
  void noticesForNoWaiterAreIgnored() throws Exception {
    Permit held = other.semaphore(NAME, 1).acquire();
    CompletableFuture<Permit> waiter = waiter();
    String channel = words("PUBSUB", "CHANNELS").get(0);
    assertThat(channel).startsWith(CHANNELS);
    server.command("PUBLISH", channel, "");
    server.command("PUBLISH", channel, "?".repeat(65));
    for (String id : List.of("?", "x")) {
      String member = id.repeat(22) + waitingMember().substring(22);
      server.command("PUBLISH", channel, member);
      server.command("PUBLISH", channel, member + " 1 1794772825373");
    }
    held.close();
    assertThat(waiter.join().release()).isEqualTo(PermitReleaseResult.RELEASED);
  }

  @Test
  void aClientThatMayNotSubscribeIsToldByItsList() throws Exception {
    server.command("ACL", "SETUSER", "deaf", "on", ">secret", "~*", "+@all", "resetchannels");
    try (SyncGuard deaf = SyncGuard.open(server.uri().replace("://", "://deaf:secret@"))) {
      Permit held = other.semaphore(NAME, 1).acquire();
      CompletableFuture<Permit> first =
          deaf.semaphore(NAME, 1).async().acquire(PATIENCE).toCompletableFuture();
      untilWaiting(1);
      CompletableFuture<Permit> second =
          other.semaphore(NAME, 1).async().acquire(PATIENCE).toCompletableFuture();
      untilWaiting(2);
      held.close();
      Permit told = first.join();
      assertThat(calls("rpush")).isEqualTo(1);
      // Its own release may not publish either, and tells the next by its list.
      told.close();
      second.join().close();
      assertThat(calls("rpush")).isEqualTo(2);
    }
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void aGrantWhoseMessageIsLostIsFoundByTheHeartbeat() throws Exception {
    server.command("ACL", "SETUSER", "deaf", "on", ">secret", "~*", "+@all", "resetchannels");
    RedisClient listening = RedisClient.create(server.uri());
    try (SyncGuard deaf = SyncGuard.open(server.uri().replace("://", "://deaf:secret@"))) {
      Permit held = other.semaphore(NAME, 1).acquire();
      CompletableFuture<Permit> waiter =
          deaf.semaphore(NAME, 1).async().acquire(PATIENCE).toCompletableFuture();
      untilWaiting(1);
      // The message goes to a listener, so no list is pushed to, but not to the waiter.
      String channel = CHANNELS + waitingMember().substring(43);
      listening.connectPubSub().sync().subscribe(channel);
      held.close();
      assertThat(waiter.join().release()).isEqualTo(PermitReleaseResult.RELEASED);
      assertThat(calls("rpush")).isZero();
    } finally {
      listening.shutdown();
    }
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void noticesComeAgainAfterTheirConnectionWasLost() throws Exception {
    Permit held = other.semaphore(NAME, 1).acquire();
    CompletableFuture<Permit> waiter = waiter();
    proxy.cutConnections();
    eventually(() -> assertThat(words("PUBSUB", "CHANNELS")).hasSize(1));
    held.close();
    assertThat(waiter.join().release()).isEqualTo(PermitReleaseResult.RELEASED);
    Permit again = other.semaphore(NAME, 1).acquire();
    CompletableFuture<Permit> next = waiter();
    server.command("CONFIG", "RESETSTAT");
    again.close();
    assertThat(next.join().release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(calls("publish")).isEqualTo(1);
    assertThat(calls("rpush")).isZero();
  }

  @Test
  void theyAreOffWhileTheirConnectionIsLost() throws Exception {
    RedisURI uri = RedisURI.create(server.uri());
    Duration timeout = RedisOptions.DEFAULT_COMMAND_TIMEOUT;
    try (OwnClient client = OwnClient.of(List.of(uri), false, timeout, RedisTls.OF_THE_JVM);
        StandaloneConnections connections =
            new StandaloneConnections(client.single(), uri, timeout)) {
      Messages notices = new Messages(connections, CHANNELS, member -> {}, () -> {});
      notices.start();
      eventually(() -> assertThat(notices.isOn()).isTrue());
      server.kill();
      eventually(() -> assertThat(notices.isOn()).isFalse());
      server.restart();
      eventually(() -> assertThat(notices.isOn()).isTrue());
      notices.close();
    }
  }
}
