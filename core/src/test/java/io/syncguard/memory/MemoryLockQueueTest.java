package io.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryLockQueueTest {

  private static final ResourceKey KEY = ResourceKey.of("key");
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration TOLERANCE = Duration.ofMillis(Liveness.TOLERANCE_MS);

  private final HandMovedTime time = new HandMovedTime();
  private final MemoryLocks locks = new MemoryLocks(new StoreClock(time));
  private final LockId holder = LockId.random();
  private final LockId first = LockId.random();
  private final LockId second = LockId.random();

  @Test
  void aReleaseGrantsToTheFirstAndTellsItOfTheGrant() {
    Granted held = granted(tryLock(holder));
    join(first);
    join(second);
    Told told = watch(first);

    assertThat(release(holder)).isEqualTo(ReleaseResult.RELEASED);

    assertThat(told.grants)
        .containsExactly(new Granted(Fence.of(held.fence().toLong() + 1), expiry(first)));
    assertThat(find().lockId()).isEqualTo(first);
    assertThat(lifeOfRecord()).isEqualTo(QueueTimes.GRANT);
  }

  @Test
  void aWaiterThatCannotBeToldIsKeptItsGrantForAShorterTime() {
    tryLock(holder);
    join(first);
    release(holder);
    assertThat(lifeOfRecord()).isEqualTo(QueueTimes.GRANT_UNTOLD);
  }

  @Test
  void placesAreKeptAndTicketsIncrease() {
    tryLock(holder);
    long ticket = join(first);
    assertThat(join(second)).isGreaterThan(ticket);
    assertThat(join(first)).isEqualTo(ticket);
  }

  @Test
  void theTimeThatRemainsIsTheRecords() {
    tryLock(holder);
    Queued queued = (Queued) attempt(first, true);
    assertThat(queued.remaining()).isEqualTo(TTL.plus(TOLERANCE));
    assertThat(((Held) tryLock(second)).remaining()).isEqualTo(TTL.plus(TOLERANCE));
  }

  @Test
  void neitherTryLockNorANewcomerOvertakes() {
    tryLock(holder);
    join(first);
    liveThrough(TTL.plus(TOLERANCE));

    assertThat(tryLock(second)).isInstanceOf(Held.class);
    assertThat(find().lockId()).isEqualTo(first);
  }

  @Test
  void theFirstTakesAFreeLockByAskingAlthoughItDoesNotWait() {
    tryLock(holder);
    join(first);
    join(second);
    liveThrough(TTL.plus(TOLERANCE));

    granted(tryLock(first));

    assertThat(lifeOfRecord()).isEqualTo(TTL);
    assertThat(keepWaiting(second)).containsExactly(PlaceState.WAITING);
  }

  @Test
  void aCallerThatDoesNotWaitHasNoPlaceAfterwards() {
    tryLock(holder);
    join(first);
    assertThat(tryLock(first)).isInstanceOf(Held.class);
    assertThat(keepWaiting(first)).containsExactly(PlaceState.GONE);
    release(holder);
    assertThat(locks.size()).isZero();
  }

  @Test
  void aGrantIsConfirmedByAskingAgain() {
    Granted grant = grantToFirst();
    time.move(Duration.ofSeconds(1));

    Granted confirmed = granted(attempt(first, true));

    assertThat(confirmed.fence()).isEqualTo(grant.fence());
    assertThat(confirmed.expiresAt()).isEqualTo(expiry(first));
    assertThat(lifeOfRecord()).isEqualTo(TTL.plusSeconds(1));
    time.move(Duration.ofSeconds(1));
    assertThat(granted(attempt(first, true))).isEqualTo(confirmed);
  }

  @Test
  void aGrantIsConfirmedByAnExtension() {
    grantToFirst();
    assertThat(extend(first).isExtended()).isTrue();
    time.move(TTL);
    assertThat(find().lockId()).isEqualTo(first);
    assertThat(release(first)).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aGrantThatIsNotConfirmedGoesToTheNextWithAGreaterFence() {
    Granted lost = grantToFirst();
    join(second);
    Told told = watch(second);
    time.move(QueueTimes.GRANT.plus(TOLERANCE));

    assertThat(keepWaiting(second)).containsExactly(PlaceState.GONE);

    assertThat(told.grants)
        .singleElement()
        .satisfies(grant -> assertThat(grant.fence().isNewerThan(lost.fence())).isTrue());
    assertThat(extend(first)).isEqualTo(ExtendResult.NotExtended.NOT_FOUND);
    assertThat(release(first)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(find().lockId()).isEqualTo(second);
  }

  @Test
  void waitersWithoutASignOfLifeLoseTheirPlaces() {
    tryLock(holder);
    join(first);
    time.move(QueueTimes.ALIVE.plusMillis(1));

    release(holder);

    assertThat(locks.size()).isZero();
    granted(tryLock(second));
  }

  @Test
  void oneSignOfLifeIsForTheWaitersOfAllKeys() {
    tryLock(holder);
    join(first);
    liveThrough(Duration.ofSeconds(20));
    assertThat(keepWaiting(first)).containsExactly(PlaceState.WAITING);
    release(holder);
    assertThat(find().lockId()).isEqualTo(first);
  }

  @Test
  void aWaiterLeavesByARelease() {
    tryLock(holder);
    join(first);
    join(second);
    assertThat(release(first)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(release(first)).isEqualTo(ReleaseResult.NOT_FOUND);
    release(holder);
    assertThat(find().lockId()).isEqualTo(second);
  }

  @Test
  void aReleaseThatCannotGrantReleasesAndTheFirstLearnsTheReason() {
    MemoryLocks usedUp = new MemoryLocks(new StoreClock(time), Fence.MAX - 1);
    granted(attempt(usedUp, holder, false));
    attempt(usedUp, first, true);
    Told told = new Told();
    usedUp.watch(new LockReference(first, KEY), told);

    assertThat(release(usedUp, holder)).isEqualTo(ReleaseResult.RELEASED);

    assertThat(told.looks).isEqualTo(1);
    assertThat(Answer.of(usedUp.isLocked(new LockOperation.IsLocked(KEY), Call.plain()))).isFalse();
    assertThat(attempt(usedUp, second, false)).isEqualTo(new Held(Duration.ZERO));
    Failure.of(Code.INTERNAL, () -> attempt(usedUp, first, true));
    assertThat(release(usedUp, first)).isEqualTo(ReleaseResult.RELEASED);
    Failure.of(Code.INTERNAL, () -> attempt(usedUp, second, false));
  }

  @Test
  void sweepingGrantsWhatAnExpiredHolderLeaves() {
    attempt(locks, holder, false, Duration.ofSeconds(5));
    join(first);
    Told told = watch(first);
    liveThrough(Duration.ofSeconds(10));
    assertThat(told.grants).hasSize(1);
  }

  @Test
  void nothingIsLeftOfTheDeadWithoutAnotherOperation() {
    tryLock(holder);
    join(first);
    time.move(Duration.ofMinutes(2));
    assertThat(locks.size()).isZero();
  }

  @Test
  void nothingIsLeftOfAGrantThatIsReleased() {
    grantToFirst();
    release(first);
    assertThat(locks.size()).as("the watch alone").isEqualTo(1);
    assertThat(Answer.of(locks.find(new LockOperation.FindById(holder), Call.plain()))).isEmpty();
  }

  @Test
  void waitersOfAClosedStoreVanish() {
    tryLock(holder);
    join(first);
    watch(first);
    locks.close();
    assertThat(locks.size()).isZero();
  }

  private Granted grantToFirst() {
    tryLock(holder);
    join(first);
    Told told = watch(first);
    release(holder);
    return told.grants.get(0);
  }

  /** Moves time on while the process shows each second that it lives. */
  private void liveThrough(Duration duration) {
    for (int seconds = 0; seconds < duration.toSeconds(); seconds++) {
      time.move(QueueTimes.BEAT);
      assertThat(keepWaiting()).isEmpty();
    }
  }

  private Told watch(LockId waiter) {
    Told told = new Told();
    locks.watch(new LockReference(waiter, KEY), told);
    return told;
  }

  private long join(LockId waiter) {
    return ((Queued) attempt(waiter, true)).ticket();
  }

  private AcquireAttempt tryLock(LockId lockId) {
    return attempt(lockId, false);
  }

  private AcquireAttempt attempt(LockId lockId, boolean waits) {
    return attempt(locks, lockId, waits);
  }

  private static AcquireAttempt attempt(MemoryLocks locks, LockId lockId, boolean waits) {
    return attempt(locks, lockId, waits, TTL);
  }

  private static AcquireAttempt attempt(
      MemoryLocks locks, LockId lockId, boolean waits, Duration ttl) {
    return Answer.of(
        locks.acquire(new LockOperation.Acquire(KEY, lockId, ttl, waits), Call.plain()));
  }

  private static Granted granted(AcquireAttempt attempt) {
    assertThat(attempt).isInstanceOf(Granted.class);
    return (Granted) attempt;
  }

  private ReleaseResult release(LockId lockId) {
    return release(locks, lockId);
  }

  private static ReleaseResult release(MemoryLocks locks, LockId lockId) {
    LockReference lock = new LockReference(lockId, KEY);
    return Answer.of(locks.release(new LockOperation.Release(lock), Call.plain()));
  }

  private ExtendResult extend(LockId lockId) {
    LockReference lock = new LockReference(lockId, KEY);
    return Answer.of(locks.extend(new LockOperation.Extend(lock, TTL), Call.plain()));
  }

  private List<PlaceState> keepWaiting(LockId... waiters) {
    List<LockReference> references = new ArrayList<>();
    for (LockId waiter : waiters) {
      references.add(new LockReference(waiter, KEY));
    }
    return Answer.of(locks.keepWaiting(new LockOperation.KeepWaiting(references), Call.plain()));
  }

  private RawLockInfo find() {
    return Answer.of(locks.find(new LockOperation.FindByKey(KEY), Call.plain())).orElseThrow();
  }

  private Instant expiry(LockId owner) {
    assertThat(find().lockId()).isEqualTo(owner);
    return find().expiresAt();
  }

  private Duration lifeOfRecord() {
    return Duration.between(find().acquiredAt(), find().expiresAt());
  }

  /** What a waiter was told. */
  private static final class Told implements WaiterHints<Granted> {

    private final List<Granted> grants = new ArrayList<>();
    private int looks;

    @Override
    public void look() {
      looks++;
    }

    @Override
    public void granted(Granted grant) {
      grants.add(grant);
    }
  }
}
