package io.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.GrantLease;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.ResourceKey;
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

  private static PermitReference someone() {
    return new PermitReference(NAME, PermitId.random());
  }

  private static PermitRequest request(PermitReference waiter) {
    return new PermitRequest(waiter, 1, TTL, TIMEOUT, true, true);
  }

  private PermitWatch waiting(PermitReference waiter, long ticket, long ahead) {
    return waiting(request(waiter), ticket, ahead, System.nanoTime());
  }

  private PermitWatch waiting(PermitRequest request, long ticket, long ahead, long askedAt) {
    PermitWatch watch = heirs.watch(request.permit(), () -> {}, Optional::empty);
    heir(request.permit())
        .queued(request, new Heir.Place(ticket, ahead, askedAt, System.nanoTime()));
    return watch;
  }

  private Heir heir(PermitReference waiter) {
    Heir heir = heirs.of(waiter.id());
    assertThat(heir).isNotNull();
    return heir;
  }

  /** Has somebody wait and get a slot; its own waiting is over. */
  private PermitReference holding(long ticket) {
    PermitReference holder = someone();
    return holding(request(holder), ticket, System.nanoTime());
  }

  private PermitReference holding(PermitRequest request, long ticket, long askedAt) {
    PermitWatch watch = waiting(request, ticket, UNKNOWN, askedAt);
    next().served();
    watch.close();
    return request.permit();
  }

  private Heir next() {
    return next(someone()).heir();
  }

  private Line.Succession next(PermitReference holder) {
    Line.Succession next = heirs.next(holder);
    assertThat(next).isNotNull();
    return next;
  }

  private boolean someoneBeginsAfter(PermitReference holder) {
    return next(holder).endsAt().isPresent();
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
    Heir named = next();
    leavesWhileNamed.close();
    named.standInLine();
    assertThat(heirs.next(someone())).isNull();
  }

  @Test
  void whoHasNoPlaceIsNobodysHeir() {
    heirs.watch(someone(), () -> {}, Optional::empty);
    assertThat(heirs.next(someone())).isNull();
  }

  @Test
  void whoLostItsPlaceStandsWhereItIsNow() {
    PermitReference late = someone();
    PermitReference other = someone();
    waiting(late, 10, 0);
    waiting(other, 20, 10);
    heir(late).queued(request(late), new Heir.Place(30, 20, 0, 0));
    assertThat(takeFirst()).isEqualTo(other);
    assertThat(takeFirst()).isEqualTo(late);
    assertThat(heirs.next(someone())).isNull();
  }

  @Test
  void whoeverCameToAnEmptyQueueBeginsAtOnce() {
    PermitReference holder = holding(10);
    waiting(someone(), 30, 0);
    assertThat(someoneBeginsAfter(holder)).isTrue();
  }

  @Test
  void whoeverCameNextAfterOneWhoIsServedBeginsAtOnce() {
    waiting(someone(), 50, 20);
    PermitReference first = holding(10);
    PermitReference second = holding(20);
    Line.Succession next = next(second);
    assertThat(next.endsAt()).isPresent();
    waiting(someone(), 70, 50);
    next.heir().begin(0, 0, new CompletableFuture<>());
    assertThat(someoneBeginsAfter(first)).isTrue();
  }

  @Test
  void whoeverCameAfterOneWhoMayWaitStillDoesNotBegin() {
    waiting(someone(), 50, 20);
    waiting(someone(), 60, UNKNOWN);
    PermitReference first = holding(10);
    PermitReference second = holding(11);
    assertThat(someoneBeginsAfter(first)).isFalse();
    assertThat(someoneBeginsAfter(second)).isFalse();
  }

  @Test
  void nobodyOvertakesOneWhoWasToBeginAndCouldNot() {
    PermitReference first = holding(10);
    PermitReference second = holding(20);
    PermitReference waiter = someone();
    waiting(waiter, 50, 0);
    waiting(someone(), 60, 50);
    Line.Succession next = next(first);
    assertThat(next.endsAt()).isPresent();
    next.heir().prepare();
    next.heir().doesNotBegin();
    assertThat(next(second).heir().request().permit()).isEqualTo(waiter);
    assertThat(someoneBeginsAfter(waiter)).isFalse();
  }

  @Test
  void nobodyBeginsInThePlaceOfOneWhoseSlotIsNotConfirmed() {
    waiting(someone(), 50, 0);
    assertThat(someoneBeginsAfter(someone())).isFalse();
    PermitReference holder = someone();
    waiting(holder, 60, 0);
    Heir heir = next();
    heir.prepare();
    waiting(someone(), 70, 0);
    assertThat(someoneBeginsAfter(holder)).isFalse();
    // It has begun to release before it was confirmed, so that comes too late.
    heir.confirmed();
    waiting(someone(), 80, 0);
    assertThat(someoneBeginsAfter(holder)).isFalse();
  }

  @Test
  void somebodyBeginsInThePlaceOfOneWhoWasToldOfItsGrantUntilThatIsOver() {
    PermitReference holder = someone();
    long askedAt = System.nanoTime();
    waiting(request(holder), 60, 0, askedAt);
    Heir heir = next();
    assertThat(heir.prepareOnGrant()).isTrue();
    heir.begin(0, 0, new CompletableFuture<>());
    assertThat(heir.holds()).isTrue();
    waiting(someone(), 70, 0);
    assertThat(next(holder).endsAt()).hasValue(askedAt + GrantLease.LONGEST.toNanos());
    assertThat(heir.holds()).isFalse();
  }

  @Test
  void whatIsHandedOnIsNotBelievedInForLongerThanAConfirmationMayLeave() {
    Duration ttl = GrantLease.LONGEST.dividedBy(2);
    PermitReference holder = someone();
    long askedAt = System.nanoTime();
    waiting(new PermitRequest(holder, 1, ttl, TIMEOUT, true, true), 60, 0, askedAt);
    Heir heir = next();
    heir.prepareOnGrant();
    heir.begin(0, 0, new CompletableFuture<>());
    waiting(someone(), 70, 0);
    assertThat(next(holder).endsAt()).hasValue(askedAt + ttl.toNanos());
  }

  @Test
  void nobodyBeginsInThePlaceOfOneWhoseGrantIsSoonOverUnlessItIsConfirmed() {
    long ago = System.nanoTime() - GrantLease.LONGEST.minus(SOON).toNanos();
    for (boolean confirmed : new boolean[] {false, true}) {
      PermitReference holder = someone();
      waiting(request(holder), 60, 0, ago);
      Heir heir = next();
      heir.prepareOnGrant();
      heir.begin(0, 0, new CompletableFuture<>());
      if (confirmed) {
        heir.confirmed();
      }
      waiting(someone(), 70, 0);
      assertThat(someoneBeginsAfter(holder)).isEqualTo(confirmed);
    }
  }

  @Test
  void whatIsLearnedOfOneWhoWaitsNoMoreComesTooLate() {
    PermitReference cancelled = someone();
    PermitWatch watch = waiting(cancelled, 60, 0);
    Heir heir = heir(cancelled);
    watch.close();
    assertThat(heirs.next(cancelled)).isNull();
    heir.served();
    waiting(someone(), 70, 0);
    assertThat(someoneBeginsAfter(cancelled)).isFalse();
    assertThat(heir.prepare()).isFalse();
    heir.confirmed();
    waiting(someone(), 80, 0);
    assertThat(someoneBeginsAfter(cancelled)).isFalse();
  }

  @Test
  void somebodyBeginsInThePlaceOfOneWhoseSlotIsConfirmedWhileItIsUsed() {
    PermitReference holder = someone();
    waiting(holder, 60, 0);
    Heir heir = next();
    heir.prepare();
    heir.begin(0, 0, new CompletableFuture<>());
    heir.confirmed();
    waiting(someone(), 70, 0);
    assertThat(someoneBeginsAfter(holder)).isTrue();
  }

  @Test
  void nobodyBeginsWhosePlaceMayBeAGrantThatIsSoonOver() {
    waiting(someone(), 60, UNKNOWN);
    PermitReference holder = holding(20);
    long ago = System.nanoTime() - GrantLease.LONGEST.minus(SOON).toNanos();
    waiting(request(someone()), 50, 0, ago);
    assertThat(someoneBeginsAfter(holder)).isFalse();
  }

  @Test
  void nobodyBeginsInThePlaceOfOneWhoseSlotIsSoonOver() {
    PermitReference timeOut =
        holding(request(someone()), 10, System.nanoTime() - TIMEOUT.minus(SOON).toNanos());
    waiting(someone(), 50, 0);
    assertThat(someoneBeginsAfter(timeOut)).isFalse();
    PermitRequest brief = new PermitRequest(someone(), 1, SOON, TIMEOUT, true, true);
    PermitReference briefly = holding(brief, 20, System.nanoTime());
    waiting(someone(), 50, 0);
    assertThat(someoneBeginsAfter(briefly)).isFalse();
  }

  @Test
  void nobodyBeginsOnceTheLimitIsAnother() {
    waiting(someone(), 50, 0);
    PermitReference holder = holding(10);
    PermitReference other = holding(11);
    heirs.limitChanged(NAME);
    assertThat(someoneBeginsAfter(holder)).isFalse();
    waiting(someone(), 60, 0);
    heirs.limitIsKnown(NAME);
    assertThat(someoneBeginsAfter(other)).isTrue();
  }

  @Test
  void nobodyBeginsWhoseTicketMayBeNoTime() {
    waiting(someone(), 21, 20);
    holding(10);
    PermitReference holder = holding(20);
    assertThat(someoneBeginsAfter(holder)).isFalse();
  }

  @Test
  void whoBeginsRestsOnWhatRedisKeeps() {
    PermitReference holder = holding(10);
    PermitReference waiter = someone();
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
  void aNoticeIsEnoughForWhoHasWaitedForAWhile() {
    PermitReference waiter = someone();
    long askedAt = System.nanoTime();
    waiting(request(waiter), 50, 20, askedAt);
    assertThat(heir(waiter).restsOnGrant()).hasValue(askedAt + GrantLease.LONGEST.toNanos());
  }

  @Test
  void aNoticeIsNotEnoughForWhomItMayComeTooLate() {
    PermitReference waiter = someone();
    long ago = System.nanoTime() - GrantLease.LONGEST.minus(SOON).toNanos();
    waiting(request(waiter), 50, 20, ago);
    assertThat(heir(waiter).restsOnGrant()).isEmpty();
  }

  @Test
  void aNoticeIsNotEnoughForWhomItMayMeanAPlaceThatWasLost() {
    PermitReference waiter = someone();
    waiting(waiter, 50, 20);
    heir(waiter)
        .queued(request(waiter), new Heir.Place(70, 60, System.nanoTime(), System.nanoTime()));
    assertThat(heir(waiter).restsOnGrant()).isEmpty();
    PermitReference other = someone();
    waiting(other, 80, 20);
    heir(other).isInDoubt();
    assertThat(heir(other).restsOnGrant()).isEmpty();
  }

  @Test
  void aNoticeIsNotEnoughForWhoHasNoPlaceOrASlotAlready() {
    PermitReference waiter = someone();
    heirs.watch(waiter, () -> {}, Optional::empty);
    assertThat(heir(waiter).restsOnGrant()).isEmpty();
    PermitReference served = someone();
    waiting(served, 50, 20);
    heir(served).inherit(new PermitAttempt.Held(1, EXPIRY), 0);
    assertThat(heir(served).restsOnGrant()).isEmpty();
  }

  @Test
  void anInheritanceIsHintedAndFoundOnceAndAsOldAsTheRequest() {
    AtomicInteger hints = new AtomicInteger();
    PermitReference waiter = someone();
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
