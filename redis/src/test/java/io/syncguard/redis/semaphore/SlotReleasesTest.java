package io.syncguard.redis.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slots that pass on within a process before Redis has heard of it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlotReleasesTest {

  private static final String NAME = "slots";
  private static final String MAIN = "adv-sem:semaphore_main:" + NAME;
  private static final String TTL = "adv-sem:semaphore_ttl:" + NAME;
  private static final String MAX = "adv-sem:semaphore_max:" + NAME;
  private static final String WAITING = "adv-sem:semaphore_waiting:" + NAME;
  private static final String HEARTBEAT = "adv-sem:semaphore_waiting_heartbeat:" + NAME;
  private static final String NOTIFICATION = "adv-sem:acquisition_notification:";
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

  /** Returns a permit that waited for its slot, so that it is known since when it has it. */
  private Permit holderWhoWaited() throws Exception {
    Permit first = semaphore.acquire();
    CompletableFuture<Permit> next = waiter(semaphore, 1);
    first.close();
    return next.join();
  }

  /** Its own process is asked, which has then also read that it waits. */
  private CompletableFuture<Permit> waiter(FairSemaphore wanted, int place) throws Exception {
    CompletableFuture<Permit> waiter = wanted.async().acquire(PATIENCE).toCompletableFuture();
    eventually(() -> assertThat(wanted.stats().waiting()).isEqualTo(place));
    return waiter;
  }

  @Test
  void aWaiterThatIsSurelyNextBeginsWhileRedisIsStillToAnswer() throws Exception {
    Permit held = holderWhoWaited();
    CompletableFuture<Permit> next = waiter(semaphore, 1);
    CompletableFuture<Permit> afterThat = waiter(semaphore, 2);
    proxy.freezeReplies();
    CompletableFuture<PermitReleaseResult> released = held.releaseAsync().toCompletableFuture();
    Permit begun = next.join();
    assertThat(released).isNotDone();
    assertThat(begun.isHeld()).isTrue();
    assertThat(begun.slot()).isEqualTo(1);
    assertThat(begun.expiresAt())
        .isBetween(
            Instant.now().plus(Duration.ofMinutes(9)),
            Instant.now().plus(SemaphoreOptions.DEFAULT_TTL));
    assertThat(afterThat).isNotDone();
    eventually(() -> assertThat(other.semaphore(NAME, 1).stats().waiting()).isEqualTo(1));
    assertThat(other.semaphore(NAME, 1).stats().acquired()).isEqualTo(1);
    proxy.heal();
    assertThat(released.join()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(begun.release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(afterThat.join().release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void aWaiterBehindAWaiterOfAnotherProcessDoesNotBegin() throws Exception {
    Permit held = holderWhoWaited();
    CompletableFuture<Permit> first = waiter(other.semaphore(NAME, 1), 1);
    CompletableFuture<Permit> second = waiter(semaphore, 2);
    proxy.freezeReplies();
    CompletableFuture<PermitReleaseResult> released = held.releaseAsync().toCompletableFuture();
    Permit theirs = first.join();
    assertThat(second).isNotDone();
    proxy.heal();
    assertThat(released.join()).isEqualTo(PermitReleaseResult.RELEASED);
    theirs.close();
    second.join().close();
  }

  @Test
  void aReleaseThatIsRefusedIsRepeatedForTheHeirThatHasBegun() throws Exception {
    Permit held = holderWhoWaited();
    CompletableFuture<Permit> next = waiter(semaphore, 1);
    String nextId = words("ZRANGE", WAITING, "0", "0").get(0);
    refuseWrites();
    CompletableFuture<PermitReleaseResult> released = held.releaseAsync().toCompletableFuture();
    Permit begun = next.join();
    assertThat(server.command("ZSCORE", WAITING, nextId)).isNotNull();
    allowWrites();
    assertThat(released.join()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactly(nextId);
    assertThat(words("ZRANGE", TTL, "0", "-1")).containsExactly(nextId);
    assertThat(begun.release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void anHeirThatIsDoneBeforeRedisHearsOfItHasReleased() throws Exception {
    Permit held = holderWhoWaited();
    CompletableFuture<Permit> next = waiter(semaphore, 1);
    refuseWrites();
    CompletableFuture<PermitReleaseResult> first = held.releaseAsync().toCompletableFuture();
    CompletableFuture<PermitReleaseResult> second =
        next.join().releaseAsync().toCompletableFuture();
    allowWrites();
    assertThat(first.join()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(second.join()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void anHeirThatHasBegunAndWasGrantedAnotherSlotMeanwhileKeepsOne() {
    limit(2);
    slot("holder", true);
    slot("heir", false);
    server.command("RPUSH", NOTIFICATION + "heir", "1");
    place("another", 1);
    assertThat((List<?>) release("holder", "heir")).first().isEqualTo(2L);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactlyInAnyOrder("heir", "another");
    assertThat(words("ZRANGE", TTL, "0", "-1")).containsExactly("heir");
    assertThat(server.command("EXISTS", NOTIFICATION + "heir")).isEqualTo(0L);
    assertThat(server.command("EXISTS", WAITING, HEARTBEAT)).isEqualTo(0L);
  }

  @Test
  void anHeirThatHasBegunAndIsGoneIsNotBroughtBack() {
    limit(1);
    slot("holder", true);
    assertThat(release("holder", "heir")).isEqualTo(1L);
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void anHeirThatHasBegunInThePlaceOfAHolderThatIsGoneLosesItsOwn() {
    limit(1);
    slot("bystander", true);
    place("heir", 1);
    place("another", 2);
    assertThat(release("holder", "heir")).isEqualTo(0L);
    assertThat(words("ZRANGE", WAITING, "0", "-1")).containsExactly("another");
    assertThat(words("ZRANGE", HEARTBEAT, "0", "-1")).containsExactly("another");
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactly("bystander");
  }

  @Test
  void aRepetitionChangesNothing() {
    limit(1);
    slot("holder", true);
    place("heir", 1);
    assertThat((List<?>) release("holder", "heir")).first().isEqualTo(1L);
    Object expiry = server.command("ZSCORE", TTL, "heir");
    assertThat((List<?>) release("holder", "heir")).first().isEqualTo(0L);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactly("heir");
    assertThat(server.command("ZSCORE", TTL, "heir")).isEqualTo(expiry);
  }

  @Test
  void anHeirThatHasBegunKeepsASlotBeyondALowerLimitAndItsProcessIsTold() {
    limit(1);
    slot("holder", true);
    slot("bystander", true);
    place("heir", 1);
    assertThat((List<?>) release("holder", "heir")).first().isEqualTo(-1L);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactlyInAnyOrder("bystander", "heir");
  }

  @Test
  void aGrantOfTheOnlySlotExpiresByItself() {
    limit(1);
    slot("holder", true);
    place("next", 1);
    assertThat(release("holder")).isEqualTo(1L);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactly("next");
    assertThat((Long) server.command("PTTL", MAIN)).isPositive();
  }

  @Test
  void aGrantIsNotCutShortByAKeyThatExpiresWithAnotherSlot() {
    limit(2);
    slot("holder", true);
    slot("bystander", true);
    server.command("PEXPIRE", MAIN, "100");
    place("next", 1);
    assertThat(release("holder")).isEqualTo(1L);
    assertThat((Long) server.command("PTTL", MAIN)).isGreaterThan(5000);
  }

  @Test
  void whatIsReleasedBesideOthersLeavesThemTheirs() {
    limit(2);
    slot("holder", true);
    slot("bystander", true);
    assertThat(release("holder")).isEqualTo(1L);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactly("bystander");
    assertThat(words("ZRANGE", TTL, "0", "-1")).containsExactly("bystander");
    assertThat(server.command("GET", MAX)).hasToString("2");
  }

  @Test
  void aLoneSlotThatWasNeverConfirmedTakesItsHintWithIt() {
    limit(1);
    slot("holder", false);
    server.command("RPUSH", NOTIFICATION + "holder", "1");
    assertThat(release("holder")).isEqualTo(1L);
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void aSlotIsItsHoldersUntilItIsForgotten() {
    limit(1);
    server.command("ZADD", MAIN, "1", "holder");
    server.command("ZADD", TTL, "9000000000", "holder");
    place("next", 1);
    assertThat(release("holder")).isEqualTo(1L);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactly("next");
    assertThat(release("holder")).isEqualTo(0L);
  }

  /** What is refused is told only when writing is allowed again. */
  private void refuseWrites() {
    server.command("REPLICAOF", "127.0.0.1", "1");
    proxy.freezeReplies();
  }

  private void allowWrites() {
    server.command("REPLICAOF", "NO", "ONE");
    proxy.heal();
  }

  @Test
  void aSlotThatIsFoundAgainIsAsOldAsItIs() {
    long now = Long.parseLong(words("TIME").get(0));
    limit(1);
    server.command("ZADD", MAIN, Long.toString(now + 30), "found");
    server.command("ZADD", TTL, Long.toString(now + 50), "found");
    Object answer = run(RedisScript.SEMAPHORE_ACQUIRE, "found", "1", "30000", "60000");
    assertThat(SemaphoreAnswers.attempt(answer))
        .isInstanceOfSatisfying(
            PermitAttempt.Held.class,
            held -> assertThat(held.age()).isGreaterThanOrEqualTo(Duration.ofSeconds(10)));
  }

  private void limit(int limit) {
    server.command("SET", MAX, Integer.toString(limit));
  }

  private void slot(String id, boolean confirmed) {
    server.command("ZADD", MAIN, "9000000000", id);
    if (confirmed) {
      server.command("ZADD", TTL, "9000000000", id);
    }
  }

  private void place(String id, int ticket) {
    server.command("ZADD", WAITING, Integer.toString(ticket), id);
    server.command("ZADD", HEARTBEAT, "9000000000", id);
  }

  private Object release(String holder) {
    return run(RedisScript.SEMAPHORE_RELEASE, holder);
  }

  private Object release(String holder, String begunHeir) {
    return run(RedisScript.SEMAPHORE_RELEASE, holder, begunHeir, "60000", "60000", "1");
  }

  private Object run(RedisScript script, String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("EVAL", script.source(), "4", MAIN, TTL, MAX, WAITING));
    command.addAll(List.of(arguments));
    return server.command(command.toArray(String[]::new));
  }

  private List<String> words(String... command) {
    return ((List<?>) server.command(command)).stream().map(String::valueOf).toList();
  }
}
