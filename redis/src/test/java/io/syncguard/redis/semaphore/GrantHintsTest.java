package io.syncguard.redis.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisOptions;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.GrantLease;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How waiters are told of the slots that they are granted, and how they confirm them. */
class GrantHintsTest extends OnOneRedis {

  private static final ResourceKey NAME = ResourceKey.of("told");
  private static final String MAIN = "adv-sem:semaphore_main:told";
  private static final String CONFIRMED = "adv-sem:semaphore_ttl:told";
  private static final String LIMIT = "adv-sem:semaphore_max:told";
  private static final Duration HELD_FOR = Duration.ofHours(2);
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** The server's clock is this machine's. */
  private final Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  private static final class Waiter implements WaiterHints<PermitAttempt.Held> {

    private final PermitReference permit = new PermitReference(NAME, PermitId.random());
    private final List<PermitAttempt.Held> grants = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public void look() {
      looks.incrementAndGet();
    }

    @Override
    public void granted(PermitAttempt.Held grant) {
      grants.add(grant);
    }
  }

  private static PermitAttempt acquire(Store by, PermitReference permit, int limit) {
    return ask(by, new SemaphoreOperation.Acquire(permit, limit, HELD_FOR, TIMEOUT, true, true));
  }

  private static PermitReference holder(Store by, int limit) {
    PermitReference holder = new PermitReference(NAME, PermitId.random());
    assertThat(acquire(by, holder, limit)).isInstanceOf(PermitAttempt.Held.class);
    return holder;
  }

  private static Waiter waiter(Store by, int limit) {
    Waiter waiter = new Waiter();
    assertThat(by.semaphores().watch(waiter.permit, waiter)).isPresent();
    assertThat(acquire(by, waiter.permit, limit)).isInstanceOf(PermitAttempt.Waiting.class);
    return waiter;
  }

  /** Returns a client that hears what is published to it. */
  private Store listeningClient() throws Exception {
    Store client = open(RedisOptions.defaults());
    PermitReference holder = holder(store, 1);
    Waiter first = waiter(client, 1);
    String channel = "syncguard:granted:" + waiting().get(0).substring(43);
    eventually(() -> assertThat(words("PUBSUB", "CHANNELS")).contains(channel));
    eventually(() -> assertThat(first.looks).hasPositiveValue());
    ask(client, new SemaphoreOperation.Release(first.permit));
    ask(store, new SemaphoreOperation.Release(holder));
    server.command("CONFIG", "RESETSTAT");
    return client;
  }

  private static PermitReleaseResult release(Store by, PermitReference permit) {
    return ask(by, new SemaphoreOperation.Release(permit));
  }

  private static PermitState confirm(Store by, Waiter waiter) {
    return ask(by, new SemaphoreOperation.Confirm(waiter.permit, HELD_FOR, TIMEOUT));
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

  private void assertGranted(Waiter waiter, int slot) {
    assertThat(waiter.grants)
        .singleElement()
        .satisfies(
            grant -> {
              assertThat(grant.slot()).isEqualTo(slot);
              assertThat(grant.expiresAt())
                  .isBetween(startedAt.plus(HELD_FOR), Instant.now().plus(HELD_FOR));
            });
  }

  @Test
  void aReleaseTellsAWaiterOfItsOwnProcessBeforeItIsAnswered() {
    PermitReference holder = holder(store, 1);
    Waiter waiter = waiter(store, 1);
    server.command("CONFIG", "RESETSTAT");

    List<PermitAttempt.Held> toldByThen =
        store
            .semaphores()
            .release(new SemaphoreOperation.Release(holder), Call.plain())
            .thenApply(result -> List.copyOf(waiter.grants))
            .toCompletableFuture()
            .join();

    assertThat(toldByThen).hasSize(1);
    assertGranted(waiter, 1);
    assertThat(calls("publish")).isZero();
    assertThat(calls("rpush")).isZero();
  }

  @Test
  void aReleaseMayTellOfManyGrants() {
    PermitReference holder = holder(store, 1);
    List<Waiter> waiters = Stream.generate(() -> waiter(store, 1)).limit(3).toList();
    // As a client of the reference may.
    server.command("SET", LIMIT, "3");

    assertThat(release(store, holder)).isEqualTo(PermitReleaseResult.RELEASED);

    for (int i = 0; i < 3; i++) {
      assertGranted(waiters.get(i), i + 1);
    }
  }

  @Test
  void aWaiterThatLeavesTellsThoseWhoGetWhatADeadHolderLeft() {
    holder(store, 1);
    Waiter first = waiter(store, 1);
    Waiter second = waiter(store, 1);
    server.command("DEL", MAIN, CONFIRMED);

    assertThat(release(store, second.permit)).isEqualTo(PermitReleaseResult.LEFT_QUEUE);

    assertGranted(first, 1);
    assertThat(second.grants).isEmpty();
  }

  @Test
  void aWaiterOfAnotherProcessIsToldByAMessage() throws Exception {
    Store client = listeningClient();
    holder(store, 2);
    PermitReference holder = holder(store, 2);
    Waiter waiter = waiter(client, 2);

    release(store, holder);

    eventually(() -> assertGranted(waiter, 2));
    assertThat(calls("publish")).isEqualTo(1);
    assertThat(calls("rpush")).isZero();
  }

  @Test
  void aResizeTellsWaitersOfItsOwnProcessByAMessageToo() throws Exception {
    Store client = listeningClient();
    holder(client, 1);
    Waiter waiter = waiter(client, 1);

    assertThat(ask(client, new SemaphoreOperation.Resize(NAME, 2))).isTrue();

    eventually(() -> assertGranted(waiter, 2));
    assertThat(calls("rpush")).isZero();
  }

  private List<String> waiting() {
    return words("ZRANGE", "adv-sem:semaphore_waiting:told", "0", "-1");
  }

  @Test
  void aClientWhoseWatchIsClosedIsNotTold() {
    PermitReference holder = holder(store, 1);
    Waiter waiter = new Waiter();
    Watch watch = store.semaphores().watch(waiter.permit, waiter).orElseThrow();
    acquire(store, waiter.permit, 1);
    watch.close();

    release(store, holder);

    assertThat(waiter.grants).isEmpty();
    assertThat(confirm(store, waiter)).isEqualTo(PermitState.HOLDING);
  }

  @Test
  void aGrantIsKeptForAWhileAndHeldOnceItIsConfirmed() {
    PermitReference holder = holder(store, 1);
    Waiter waiter = waiter(store, 1);
    release(store, holder);
    String member = words("ZRANGE", MAIN, "0", "-1").get(0);
    assertThat(words("ZRANGE", CONFIRMED, "0", "-1")).isEmpty();
    assertThat(scoreMs(MAIN, member))
        .isBetween(
            startedAt.plus(GrantLease.LONGEST).toEpochMilli(),
            Instant.now().plus(GrantLease.LONGEST).toEpochMilli());

    assertThat(confirm(store, waiter)).isEqualTo(PermitState.HOLDING);

    assertThat(scoreMs(CONFIRMED, member))
        .isGreaterThanOrEqualTo(waiter.grants.get(0).expiresAt().toEpochMilli());
    assertThat(confirm(store, waiter)).isEqualTo(PermitState.HOLDING);
    assertThat(release(store, waiter.permit)).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  private long scoreMs(String key, String member) {
    String seconds = String.valueOf(server.command("ZSCORE", key, member));
    return (long) (Double.parseDouble(seconds) * 1000);
  }

  @Test
  void aGrantThatWasTakenBackIsGone() {
    PermitReference holder = holder(store, 1);
    Waiter waiter = waiter(store, 1);
    release(store, holder);
    String member = words("ZRANGE", MAIN, "0", "-1").get(0);
    server.command("ZADD", MAIN, "XX", "1", member);

    assertThat(confirm(store, waiter)).isEqualTo(PermitState.GONE);

    assertThat(server.command("EXISTS", CONFIRMED)).isEqualTo(0L);
  }

  @Test
  void aWaiterThatWasGrantedNothingConfirmsNothing() {
    PermitReference holder = holder(store, 1);
    Waiter waiter = waiter(store, 1);

    assertThat(confirm(store, waiter)).isEqualTo(PermitState.GONE);

    assertThat(waiting()).hasSize(1);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).hasSize(1);
    release(store, holder);
    assertGranted(waiter, 1);
  }
}
