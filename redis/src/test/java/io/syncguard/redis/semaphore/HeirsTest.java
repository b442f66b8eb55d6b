package io.syncguard.redis.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.GrantLease;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeirsTest {

  private static final ResourceKey NAME = ResourceKey.of("slots");
  private static final Instant EXPIRY = Instant.ofEpochMilli(1_000_000);
  private static final long UNKNOWN = Long.MAX_VALUE;
  private static final Duration SOON = GrantLease.LONGEST.dividedBy(5);
  private static final Duration TTL = Duration.ofHours(2);
  private static final Duration TIMEOUT = Duration.ofMinutes(20);

  private final Heirs heirs = new Heirs();

  private static PermitReference newPermit() {
    return new PermitReference(NAME, PermitId.random());
  }

  private static SemaphoreOperation.Acquire request(PermitReference waiter) {
    return new SemaphoreOperation.Acquire(waiter, 1, TTL, TIMEOUT, true, true);
  }

  private Watch waiting(PermitReference waiter, long ticket, long ahead) {
    return waiting(request(waiter), ticket, ahead, System.nanoTime());
  }

  private Watch waiting(SemaphoreOperation.Acquire request, long ticket, long ahead, long askedAt) {
    Watch watch = heirs.watch(request.permit(), () -> {}, Optional::empty);
    heir(request.permit())
        .queued(request, new Heir.Place(ticket, ahead, askedAt, System.nanoTime()));
    return watch;
  }

  private Heir heir(PermitReference waiter) {
    Heir heir = heirs.of(waiter.id());
    assertThat(heir).isNotNull();
    return heir;
  }

  /** Has a client wait and get a slot; its own waiting is over. */
  private PermitReference holding(long ticket) {
    PermitReference holder = newPermit();
    return holding(request(holder), ticket, System.nanoTime());
  }

  private PermitReference holding(SemaphoreOperation.Acquire request, long ticket, long askedAt) {
    Watch watch = waiting(request, ticket, UNKNOWN, askedAt);
    next().served();
    watch.close();
    return request.permit();
  }

  private Heir next() {
    return next(newPermit()).heir();
  }

  private Line.Succession next(PermitReference holder) {
    Line.Succession next = heirs.next(holder);
    assertThat(next).isNotNull();
    return next;
  }

  private boolean heirBeginsAfter(PermitReference holder) {
    return next(holder).endsAt().isPresent();
  }

  private PermitReference takeFirst() {
    return next().request().permit();
  }

  @Test
  void theSmallestTicketIsFirstAndNoWaiterIsNamedTwice() {
    PermitReference second = newPermit();
    PermitReference first = newPermit();
    waiting(second, 80, UNKNOWN);
    waiting(first, 70, UNKNOWN);
    assertThat(takeFirst()).isEqualTo(first);
    assertThat(takeFirst()).isEqualTo(second);
    assertThat(heirs.next(newPermit())).isNull();
  }

  @Test
  void aWaiterThatDidNotInheritStandsInLineAgain() {
    PermitReference waiter = newPermit();
    waiting(waiter, 10, UNKNOWN);
    next().standInLine();
    assertThat(takeFirst()).isEqualTo(waiter);
  }

  @Test
  void aClientThatWaitsNoMoreIsNoHeir() {
    Watch stays = waiting(newPermit(), 10, UNKNOWN);
    Watch leavesWhileNamed = waiting(newPermit(), 20, UNKNOWN);
    stays.close();
    Heir named = next();
    leavesWhileNamed.close();
    named.standInLine();
    assertThat(heirs.next(newPermit())).isNull();
  }

  @Test
  void aClientWithoutAPlaceIsNoHeir() {
    heirs.watch(newPermit(), () -> {}, Optional::empty);
    assertThat(heirs.next(newPermit())).isNull();
  }

  @Test
  void aWaiterThatLostItsPlaceStandsWhereItIsNow() {
    PermitReference late = newPermit();
    PermitReference other = newPermit();
    waiting(late, 10, 0);
    waiting(other, 20, 10);
    heir(late).queued(request(late), new Heir.Place(30, 20, 0, 0));
    assertThat(takeFirst()).isEqualTo(other);
    assertThat(takeFirst()).isEqualTo(late);
    assertThat(heirs.next(newPermit())).isNull();
  }

  @Test
  void aWaiterThatCameToAnEmptyQueueBeginsAtOnce() {
    PermitReference holder = holding(10);
    waiting(newPermit(), 30, 0);
    assertThat(heirBeginsAfter(holder)).isTrue();
  }

  @Test
  void aWaiterThatCameNextAfterAServedOneBeginsAtOnce() {
    waiting(newPermit(), 50, 20);
    PermitReference first = holding(10);
    PermitReference second = holding(20);
    Line.Succession next = next(second);
    assertThat(next.endsAt()).isPresent();
    waiting(newPermit(), 70, 50);
    next.heir().begin(0, 0, new CompletableFuture<>());
    assertThat(heirBeginsAfter(first)).isTrue();
  }

  @Test
  void aWaiterBehindOneThatMayStillWaitDoesNotBegin() {
    waiting(newPermit(), 50, 20);
    waiting(newPermit(), 60, UNKNOWN);
    PermitReference first = holding(10);
    PermitReference second = holding(11);
    assertThat(heirBeginsAfter(first)).isFalse();
    assertThat(heirBeginsAfter(second)).isFalse();
  }

  @Test
  void noWaiterOvertakesOneThatWasToBeginAndCouldNot() {
    PermitReference first = holding(10);
    PermitReference second = holding(20);
    PermitReference waiter = newPermit();
    waiting(waiter, 50, 0);
    waiting(newPermit(), 60, 50);
    Line.Succession next = next(first);
    assertThat(next.endsAt()).isPresent();
    next.heir().prepare();
    next.heir().doesNotBegin();
    assertThat(next(second).heir().request().permit()).isEqualTo(waiter);
    assertThat(heirBeginsAfter(waiter)).isFalse();
  }

  @Test
  void noWaiterBeginsInThePlaceOfAHolderWhoseSlotIsNotConfirmed() {
    waiting(newPermit(), 50, 0);
    assertThat(heirBeginsAfter(newPermit())).isFalse();
    PermitReference holder = newPermit();
    waiting(holder, 60, 0);
    Heir heir = next();
    heir.prepare();
    waiting(newPermit(), 70, 0);
    assertThat(heirBeginsAfter(holder)).isFalse();
    // It has begun to release before it was confirmed, so that comes too late.
    heir.confirmed();
    waiting(newPermit(), 80, 0);
    assertThat(heirBeginsAfter(holder)).isFalse();
  }

  @Test
  void aWaiterBeginsInThePlaceOfAHolderThatWasToldOfItsGrantUntilThatIsOver() {
    PermitReference holder = newPermit();
    long askedAt = System.nanoTime();
    waiting(request(holder), 60, 0, askedAt);
    Heir heir = next();
    assertThat(heir.prepareOnGrant()).isTrue();
    heir.begin(0, 0, new CompletableFuture<>());
    assertThat(heir.holds()).isTrue();
    waiting(newPermit(), 70, 0);
    assertThat(next(holder).endsAt()).hasValue(askedAt + GrantLease.LONGEST.toNanos());
    assertThat(heir.holds()).isFalse();
  }

  @Test
  void whatIsHandedOnIsNotBelievedInForLongerThanAConfirmationMayLeave() {
    Duration ttl = GrantLease.LONGEST.dividedBy(2);
    PermitReference holder = newPermit();
    long askedAt = System.nanoTime();
    waiting(new SemaphoreOperation.Acquire(holder, 1, ttl, TIMEOUT, true, true), 60, 0, askedAt);
    Heir heir = next();
    heir.prepareOnGrant();
    heir.begin(0, 0, new CompletableFuture<>());
    waiting(newPermit(), 70, 0);
    assertThat(next(holder).endsAt()).hasValue(askedAt + ttl.toNanos());
  }

  @Test
  void noWaiterBeginsInThePlaceOfAHolderWhoseGrantIsSoonOverUnlessItIsConfirmed() {
    long ago = System.nanoTime() - GrantLease.LONGEST.minus(SOON).toNanos();
    for (boolean confirmed : new boolean[] {false, true}) {
      PermitReference holder = newPermit();
      waiting(request(holder), 60, 0, ago);
      Heir heir = next();
      heir.prepareOnGrant();
      heir.begin(0, 0, new CompletableFuture<>());
      if (confirmed) {
        heir.confirmed();
      }
      waiting(newPermit(), 70, 0);
      assertThat(heirBeginsAfter(holder)).isEqualTo(confirmed);
    }
  }

  @Test
  void whatIsLearnedOfAClientThatWaitsNoMoreComesTooLate() {
    PermitReference cancelled = newPermit();
    Watch watch = waiting(cancelled, 60, 0);
    Heir heir = heir(cancelled);
    watch.close();
    assertThat(heirs.next(cancelled)).isNull();
    heir.served();
    waiting(newPermit(), 70, 0);
    assertThat(heirBeginsAfter(cancelled)).isFalse();
    assertThat(heir.prepare()).isFalse();
    heir.confirmed();
    waiting(newPermit(), 80, 0);
    assertThat(heirBeginsAfter(cancelled)).isFalse();
  }

  @Test
  void aWaiterBeginsInThePlaceOfAHolderWhoseSlotIsConfirmedWhileItIsUsed() {
    PermitReference holder = newPermit();
    waiting(holder, 60, 0);
    Heir heir = next();
    heir.prepare();
    heir.begin(0, 0, new CompletableFuture<>());
    heir.confirmed();
    waiting(newPermit(), 70, 0);
    assertThat(heirBeginsAfter(holder)).isTrue();
  }

  @Test
  void noWaiterBeginsWhosePlaceMayBeAGrantThatIsSoonOver() {
    waiting(newPermit(), 60, UNKNOWN);
    PermitReference holder = holding(20);
    long ago = System.nanoTime() - GrantLease.LONGEST.minus(SOON).toNanos();
    waiting(request(newPermit()), 50, 0, ago);
    assertThat(heirBeginsAfter(holder)).isFalse();
  }

  @Test
  void noWaiterBeginsInThePlaceOfAHolderWhoseSlotIsSoonOver() {
    PermitReference timeOut =
        holding(request(newPermit()), 10, System.nanoTime() - TIMEOUT.minus(SOON).toNanos());
    waiting(newPermit(), 50, 0);
    assertThat(heirBeginsAfter(timeOut)).isFalse();
    SemaphoreOperation.Acquire brief =
        new SemaphoreOperation.Acquire(newPermit(), 1, SOON, TIMEOUT, true, true);
    PermitReference briefly = holding(brief, 20, System.nanoTime());
    waiting(newPermit(), 50, 0);
    assertThat(heirBeginsAfter(briefly)).isFalse();
  }

  @Test
  void noWaiterBeginsOnceTheLimitIsAnother() {
    waiting(newPermit(), 50, 0);
    PermitReference holder = holding(10);
    PermitReference other = holding(11);
    heirs.limitChanged(NAME);
    assertThat(heirBeginsAfter(holder)).isFalse();
    waiting(newPermit(), 60, 0);
    heirs.limitIsKnown(NAME);
    assertThat(heirBeginsAfter(other)).isTrue();
  }

  @Test
  void noWaiterBeginsWhoseTicketMayBeNoTime() {
    waiting(newPermit(), 21, 20);
    holding(10);
    PermitReference holder = holding(20);
    assertThat(heirBeginsAfter(holder)).isFalse();
  }

  @Test
  void aWaiterThatBeginsRestsOnWhatRedisKeeps() {
    PermitReference holder = holding(10);
    PermitReference waiter = newPermit();
    long askedAt = System.nanoTime() - 2_000_000;
    waiting(request(waiter), 50, 0, askedAt);
    Line.Succession next = next(holder);
    long endsAt = askedAt + GrantLease.LONGEST.toNanos();
    assertThat(next.endsAt()).hasValue(endsAt);
    CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
    long releasedAt = System.nanoTime();
    next.heir().begin(releasedAt, endsAt, confirmed);
    assertThat(heirs.inherited(waiter.id()))
        .get()
        .isInstanceOfSatisfying(
            PermitAttempt.Held.class,
            held -> {
              assertThat(held.slot()).isEqualTo(1);
              assertThat(held.age()).isPositive();
              assertThat(held.expiresAt()).isAfter(Instant.EPOCH.plus(TTL));
              assertThat(held.grant())
                  .contains(
                      new PermitAttempt.Grant(Duration.ofNanos(endsAt - releasedAt), confirmed));
            });
  }

  @Test
  void aNoticeIsEnoughForAClientThatHasWaitedForAWhile() {
    PermitReference waiter = newPermit();
    long askedAt = System.nanoTime();
    waiting(request(waiter), 50, 20, askedAt);
    assertThat(heir(waiter).restsOnGrant()).hasValue(askedAt + GrantLease.LONGEST.toNanos());
  }

  @Test
  void aNoticeThatMayComeTooLateIsNotEnough() {
    PermitReference waiter = newPermit();
    long ago = System.nanoTime() - GrantLease.LONGEST.minus(SOON).toNanos();
    waiting(request(waiter), 50, 20, ago);
    assertThat(heir(waiter).restsOnGrant()).isEmpty();
  }

  @Test
  void aNoticeThatMayMeanALostPlaceIsNotEnough() {
    PermitReference waiter = newPermit();
    waiting(waiter, 50, 20);
    heir(waiter)
        .queued(request(waiter), new Heir.Place(70, 60, System.nanoTime(), System.nanoTime()));
    assertThat(heir(waiter).restsOnGrant()).isEmpty();
    PermitReference other = newPermit();
    waiting(other, 80, 20);
    heir(other).noteDoubt();
    assertThat(heir(other).restsOnGrant()).isEmpty();
  }

  @Test
  void aNoticeIsNotEnoughWithoutAPlaceOrWithASlot() {
    PermitReference waiter = newPermit();
    heirs.watch(waiter, () -> {}, Optional::empty);
    assertThat(heir(waiter).restsOnGrant()).isEmpty();
    PermitReference served = newPermit();
    waiting(served, 50, 20);
    heir(served).inherit(new PermitAttempt.Held(1, EXPIRY), 0);
    assertThat(heir(served).restsOnGrant()).isEmpty();
  }

  @Test
  void anInheritanceIsHintedAndFoundOnceAndAsOldAsTheRequest() {
    AtomicInteger hints = new AtomicInteger();
    PermitReference waiter = newPermit();
    heirs.watch(waiter, hints::incrementAndGet, Optional::empty);
    Heir heir = heir(waiter);
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
