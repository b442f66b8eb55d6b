package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two clients whose clocks disagree: what the guide says of clocks that are ahead and behind. */
class DifferentClocksTest extends OnFirestore {

  private String key;
  private LockId holder;
  private StillClock othersClock;
  private Store other;

  @BeforeEach
  void openAnotherClient() {
    key = newKey();
    holder = LockId.random();
    othersClock = new StillClock();
    // Where the fixture's clock stands after what other tests let pass.
    othersClock.advance(
        Duration.ofMillis(fixture.clock().currentTimeMillis() - othersClock.currentTimeMillis()));
    other = FirestoreStore.over(firestore(), FirestoreFixture.PATIENT, othersClock);
  }

  private LockReference held() {
    return new LockReference(holder, null);
  }

  @Test
  void aClientWhoseClockIsAheadByLessThanTheToleranceTakesNothingOver() {
    acquire(key, holder);
    othersClock.advance(TTL.plusMillis(999));
    assertThat(acquire(other, key, LockId.random())).isInstanceOf(Held.class);
    assertThat(ask(store, new LockOperation.Extend(held(), TTL)).isExtended()).isTrue();
  }

  @Test
  void aClientWhoseClockIsAheadByMoreTakesALockOverAndTheFenceTells() {
    Granted first = (Granted) acquire(key, holder);
    othersClock.advance(TTL.plusSeconds(1));
    LockId next = LockId.random();
    Granted second = (Granted) acquire(other, key, next);
    assertThat(second.fence().isNewerThan(first.fence())).isTrue();
    assertThat(ask(store, new LockOperation.Extend(held(), TTL))).isEqualTo(NotExtended.NOT_FOUND);
    assertThat(ask(store, new LockOperation.Release(held()))).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(ask(other, new LockOperation.FindById(next))).isPresent();
  }

  @Test
  void aClientWhoseClockIsBehindWaitsLonger() {
    Duration behind = Duration.ofMinutes(1);
    acquire(key, holder);
    othersClock.advance(behind.negated());
    assertThat(acquire(other, key, LockId.random()))
        .isEqualTo(new Held(TTL.plus(behind).plusSeconds(1)));
    fixture.clock().advance(TTL.plusSeconds(1));
    othersClock.advance(TTL.plusSeconds(1));
    assertThat(ask(store, new LockOperation.IsLocked(ResourceKey.of(key)))).isFalse();
    assertThat(ask(other, new LockOperation.IsLocked(ResourceKey.of(key)))).isTrue();
    othersClock.advance(behind);
    assertThat(acquire(other, key, LockId.random())).isInstanceOf(Granted.class);
  }

  @Test
  void aLockOfAClientWhoseClockIsBehindIsTakenOverEarly() {
    Duration behind = Duration.ofSeconds(3);
    othersClock.advance(behind.negated());
    acquire(other, key, holder);
    Duration early = TTL.minus(behind).plusSeconds(1);
    fixture.clock().advance(early.minusMillis(1));
    othersClock.advance(early.minusMillis(1));
    assertThat(acquire(key, LockId.random())).isInstanceOf(Held.class);
    fixture.clock().advance(Duration.ofMillis(1));
    assertThat(acquire(key, LockId.random())).isInstanceOf(Granted.class);
  }

  @Test
  void anExtensionIsByTheClockOfWhoExtends() {
    acquire(key, holder);
    othersClock.advance(Duration.ofSeconds(30));
    ask(other, new LockOperation.Extend(held(), TTL));
    assertThat(
            ask(store, new LockOperation.FindById(holder)).orElseThrow().expiresAt().toEpochMilli())
        .isEqualTo(othersClock.currentTimeMillis() + TTL.toMillis());
  }
}
