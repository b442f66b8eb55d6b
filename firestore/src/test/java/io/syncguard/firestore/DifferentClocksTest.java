package io.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt.Granted;
import io.syncguard.spi.AcquireAttempt.Held;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two clients whose clocks disagree: what the guide says of clocks that are ahead and behind. */
class DifferentClocksTest extends OnFirestore {

  private String key;
  private LockId holder;
  private StillClock othersClock;
  private LockBackend other;

  @BeforeEach
  void openAnotherClient() {
    key = newKey();
    holder = LockId.random();
    othersClock = new StillClock();
    // Where the fixture's clock stands after what other tests let pass.
    othersClock.advance(
        Duration.ofMillis(fixture.clock().currentTimeMillis() - othersClock.currentTimeMillis()));
    other = FirestoreStore.over(firestore(), FirestoreFixture.PATIENT, othersClock).locks();
  }

  private LockReference held() {
    return new LockReference(holder, null);
  }

  @Test
  void aClientWhoseClockIsAheadByLessThanTheToleranceTakesNothingOver() {
    acquire(key, holder);
    othersClock.advance(TTL.plusMillis(999));
    assertThat(acquire(other, key, LockId.random())).isInstanceOf(Held.class);
    assertThat(locks.extend(held(), TTL, NEVER).isExtended()).isTrue();
  }

  @Test
  void aClientWhoseClockIsAheadByMoreTakesALockOverAndTheFenceTells() {
    Granted first = (Granted) acquire(key, holder);
    othersClock.advance(TTL.plusSeconds(1));
    LockId next = LockId.random();
    Granted second = (Granted) acquire(other, key, next);
    assertThat(second.fence().isNewerThan(first.fence())).isTrue();
    assertThat(locks.extend(held(), TTL, NEVER)).isEqualTo(NotExtended.NOT_FOUND);
    assertThat(locks.release(held(), TTL)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(other.lookup(next, NEVER)).isPresent();
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
    assertThat(locks.isLocked(ResourceKey.of(key), NEVER)).isFalse();
    assertThat(other.isLocked(ResourceKey.of(key), NEVER)).isTrue();
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
    other.extend(held(), TTL, NEVER);
    assertThat(locks.lookup(holder, NEVER).orElseThrow().expiresAt().toEpochMilli())
        .isEqualTo(othersClock.currentTimeMillis() + TTL.toMillis());
  }
}
