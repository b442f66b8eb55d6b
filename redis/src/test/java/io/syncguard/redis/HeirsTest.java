package io.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeirsTest {

  private static final ResourceKey NAME = ResourceKey.of("slots");
  private static final Instant EXPIRY = Instant.ofEpochMilli(1_000_000);
  private static final long UNKNOWN = Long.MAX_VALUE;
  private static final Duration TTL = Duration.ofHours(2);
  private static final Duration TIMEOUT = Duration.ofMinutes(20);

  private final Heirs heirs = new Heirs();

  private static PermitReference someone() {
    return new PermitReference(NAME, PermitId.random());
  }

  private static PermitRequest request(PermitReference waiter, Duration ttl, Duration timeout) {
    return new PermitRequest(waiter, 1, ttl, timeout, true, true);
  }

  private PermitWatch waiting(PermitReference waiter, long ticket, long ahead) {
    return waiting(request(waiter, TTL, TIMEOUT), ticket, ahead, System.nanoTime());
  }

  private PermitWatch waiting(PermitRequest request, long ticket, long ahead, long askedAt) {
    PermitWatch watch = heirs.watch(request.permit(), () -> {});
    Heirs.Heir heir = heirs.of(request.permit().id());
    assertThat(heir).isNotNull();
    heir.queued(request, new Heirs.Place(ticket, ahead, askedAt, askedAt));
    return watch;
  }

  /** Has somebody wait and get a slot; its own waiting is over. */
  private PermitReference holding(long ticket) {
    return holding(ticket, System.nanoTime(), TTL, TIMEOUT);
  }

  private PermitReference holding(long ticket, long since, Duration ttl, Duration timeout) {
    PermitReference holder = someone();
    PermitWatch watch = waiting(request(holder, ttl, timeout), ticket, UNKNOWN, System.nanoTime());
    Heirs.Heir heir = next();
    heir.served(since);
    watch.close();
    return holder;
  }

  private Heirs.Heir next() {
    return next(someone()).heir();
  }

  private Line.Succession next(PermitReference holder) {
    Line.Succession next = heirs.next(holder);
    assertThat(next).isNotNull();
    return next;
  }

  private PermitReference takeFirst() {
    return next().request().permit();
  }

  @Test
  void theSmallestTicketIsFirstAndNobodyIsNamedTwice() {
    PermitReference second = someone();
    PermitReference first = someone();
    waiting(second, 80, UNKNOWN);
    waiting(first, 70, UNKNOWN);
    assertThat(takeFirst()).isEqualTo(first);
    assertThat(takeFirst()).isEqualTo(second);
    assertThat(heirs.next(someone())).isNull();
  }

  @Test
  void whoDidNotInheritStandsInLineAgain() {
    PermitReference waiter = someone();
    waiting(waiter, 10, UNKNOWN);
    next().standInLine();
    assertThat(takeFirst()).isEqualTo(waiter);
  }

  @Test
  void whoWaitsNoMoreIsNobodysHeir() {
    PermitWatch stays = waiting(someone(), 10, UNKNOWN);
    PermitWatch leavesWhileNamed = waiting(someone(), 20, UNKNOWN);
    stays.close();
    Heirs.Heir named = next();
    leavesWhileNamed.close();
    named.standInLine();
    assertThat(heirs.next(someone())).isNull();
  }

  @Test
  void whoHasNoPlaceIsNobodysHeir() {
    heirs.watch(someone(), () -> {});
    assertThat(heirs.next(someone())).isNull();
  }

  @Test
  void whoLostItsPlaceStandsWhereItIsNow() {
    PermitReference late = someone();
    PermitReference other = someone();
    waiting(late, 10, 0);
    waiting(other, 20, 10);
    Heirs.Heir heir = heirs.of(late.id());
    assertThat(heir).isNotNull();
    heir.queued(request(late, TTL, TIMEOUT), new Heirs.Place(30, 20, 0, 0));
    assertThat(takeFirst()).isEqualTo(other);
    assertThat(takeFirst()).isEqualTo(late);
    assertThat(heirs.next(someone())).isNull();
  }

  @Test
  void whoeverCameToAnEmptyQueueBeginsAtOnce() {
    waiting(someone(), 50, UNKNOWN);
    PermitReference holder = holding(10);
    waiting(someone(), 30, 0);
    assertThat(next(holder).begins()).isTrue();
  }

  @Test
  void whoeverCameNextAfterOneWhoIsServedBeginsAtOnce() {
    waiting(someone(), 50, 20);
    PermitReference first = holding(10);
    PermitReference second = holding(20);
    assertThat(next(second).begins()).isTrue();
    waiting(someone(), 70, 50);
    assertThat(next(first).begins()).isTrue();
  }

  @Test
  void whoeverCameAfterOneWhoMayWaitStillDoesNotBegin() {
    waiting(someone(), 50, 20);
    waiting(someone(), 60, UNKNOWN);
    PermitReference first = holding(10);
    PermitReference second = holding(11);
    assertThat(next(first).begins()).isFalse();
    assertThat(next(second).begins()).isFalse();
  }

  @Test
  void nobodyBeginsInThePlaceOfOneWhoseSlotIsNotConfirmed() {
    waiting(someone(), 50, 0);
    assertThat(next(someone()).begins()).isFalse();
  }

  @Test
  void nobodyBeginsInThePlaceOfOneWhoMayHaveHadItsSlotForLonger() {
    waiting(someone(), 50, 0);
    PermitReference holder = someone();
    PermitWatch watch = waiting(holder, 10, UNKNOWN);
    Heirs.Heir heir = next();
    heir.isInDoubt();
    heir.served(System.nanoTime());
    watch.close();
    assertThat(next(holder).begins()).isFalse();
  }

  @Test
  void nobodyBeginsWhoWouldLoseMoreThanAHundredthOfItsTime() {
    long agoOfSlot = System.nanoTime() - TIMEOUT.dividedBy(100).toNanos();
    waiting(someone(), 50, 0);
    assertThat(next(holding(10, agoOfSlot, TTL, TIMEOUT)).begins()).isFalse();

    Duration brief = Duration.ofSeconds(20);
    long agoOfPlace = System.nanoTime() - brief.dividedBy(100).toNanos();
    waiting(someone(), 60, UNKNOWN);
    PermitReference holder = holding(20);
    waiting(request(someone(), brief, brief), 50, 0, agoOfPlace);
    assertThat(next(holder).begins()).isFalse();
  }

  @Test
  void nobodyBeginsInThePlaceOfOneWithLessTime() {
    PermitReference briefly = holding(10, System.nanoTime(), TTL.minusMillis(1), TIMEOUT);
    waiting(someone(), 50, 0);
    assertThat(next(briefly).begins()).isFalse();
    PermitReference weakly = holding(20, System.nanoTime(), TTL, TIMEOUT.minusMillis(1));
    waiting(someone(), 50, 0);
    assertThat(next(weakly).begins()).isFalse();
  }

  @Test
  void nobodyBeginsOnceTheLimitIsAnother() {
    waiting(someone(), 50, 0);
    PermitReference holder = holding(10);
    heirs.limitChanged(NAME);
    assertThat(next(holder).begins()).isFalse();
  }

  @Test
  void nobodyBeginsWhoseTicketMayBeNoTime() {
    waiting(someone(), 21, 20);
    holding(10);
    PermitReference holder = holding(20);
    assertThat(next(holder).begins()).isFalse();
  }

  @Test
  void whoBeginsHasItsTimeFromWhenSlotAndPlaceWereCertain() {
    PermitReference waiter = someone();
    long placeAskedAt = System.nanoTime() - 2_000_000;
    long slotAskedAt = placeAskedAt - 1_000_000;
    waiting(someone(), 60, UNKNOWN);
    PermitReference holder = holding(10, slotAskedAt, TTL, TIMEOUT);
    waiting(request(waiter, TTL, TIMEOUT), 50, 0, placeAskedAt);
    Line.Succession next = next(holder);
    assertThat(next.begins()).isTrue();
    assertThat(next.since()).isEqualTo(slotAskedAt);
    next.heir().begin(next.since());
    assertThat(heirs.inherited(waiter.id()))
        .get()
        .isInstanceOfSatisfying(
            PermitAttempt.Held.class,
            held -> {
              assertThat(held.slot()).isEqualTo(1);
              assertThat(held.age()).isGreaterThanOrEqualTo(Duration.ofMillis(3));
              assertThat(held.expiresAt()).isAfter(Instant.EPOCH.plus(TTL).plusMillis(2));
            });
  }

  @Test
  void anInheritanceIsHintedAndFoundOnceAndAsOldAsTheRequest() {
    AtomicInteger hints = new AtomicInteger();
    PermitReference waiter = someone();
    heirs.watch(waiter, hints::incrementAndGet);
    Heirs.Heir heir = heirs.of(waiter.id());
    assertThat(heir).isNotNull();
    Duration age = Duration.ofMinutes(1);
    heir.inherit(new PermitAttempt.Held(3, EXPIRY), System.nanoTime() - age.toNanos());
    assertThat(hints).hasValue(1);
    assertThat(heirs.inherited(waiter.id()))
        .get()
        .isInstanceOfSatisfying(
            PermitAttempt.Held.class,
            held -> {
              assertThat(held.slot()).isEqualTo(3);
              assertThat(held.expiresAt()).isEqualTo(EXPIRY);
              assertThat(held.age()).isGreaterThanOrEqualTo(age);
            });
    assertThat(heirs.inherited(waiter.id())).isEmpty();
  }
}
