package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.test.MovableTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A handle that keeps itself alive, and one that learns that it is lost. Core's time is the test's.
 */
public interface AutoExtensionSuite extends LockSuite {

  /** The lifetime in these tests: moving core's time through it takes no time. */
  Duration TTL = Duration.ofSeconds(30);

  @Test
  default void anAutoExtendedLockIsExtendedAfterAThirdOfItsLifetime() throws Exception {
    MovableTime time = MovableTime.frozen();
    try (LockHandle lock = take(on(time), newKey(), TTL).autoExtend(Duration.ofHours(1))) {
      for (int i = 0; i < 5; i++) {
        Instant before = lock.expiresAt();
        fixture().passTime(Duration.ofMillis(5));
        time.advance(TTL.dividedBy(3).minusMillis(1));
        assertThat(lock.expiresAt()).isEqualTo(before);
        time.advance(Duration.ofMillis(1));
        eventually(() -> assertThat(lock.expiresAt()).isAfter(before));
      }
      assertThat(lock.isHeld()).isTrue();
      assertThat(otherLocks().getById(lock.lockId()).orElseThrow().expiresAt())
          .isEqualTo(lock.expiresAt());
    }
  }

  @Test
  default void autoExtensionEndsAtItsCapAndTheLossIsTold() throws Exception {
    MovableTime time = MovableTime.frozen();
    FaultyClient client = openFaultyInPlace(GuardOptions.defaults().withTimeSource(time));
    CountDownLatch lost = new CountDownLatch(1);
    LockHandle lock =
        take(client.locks(), newKey(), TTL)
            .onLost(lost::countDown)
            .autoExtend(Duration.ofMinutes(1));
    int askedBefore = client.faults().operations();
    Duration held = Duration.ZERO;
    while (lock.isHeld()) {
      time.advance(Duration.ofMillis(333));
      held = held.plusMillis(333);
    }
    assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(held).isBetween(Duration.ofSeconds(58), Duration.ofSeconds(60));
    assertThat(client.faults().operations() - askedBefore).isBetween(3, 6);
    lock.close();
  }

  @Test
  default void aCapShorterThanTheLifetimeIsACapAllTheSame() throws Exception {
    MovableTime time = MovableTime.frozen();
    CountDownLatch lost = new CountDownLatch(1);
    LockHandle lock =
        take(on(time), newKey(), TTL).onLost(lost::countDown).autoExtend(TTL.dividedBy(2));
    time.advance(TTL.dividedBy(3));
    assertThat(lock.isHeld()).isTrue();
    time.advance(TTL.dividedBy(6));
    assertThat(lock.isHeld()).isFalse();
    assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
    lock.close();
  }

  @Test
  default void aLossIsToldBeforeTheLeaseEnds() throws Exception {
    MovableTime time = MovableTime.frozen();
    CountDownLatch lost = new CountDownLatch(1);
    LockHandle lock = take(on(time), newKey(), TTL).onLost(lost::countDown);

    time.advance(TTL.minusMillis(501));
    assertThat(lock.isHeld()).isTrue();
    assertThat(lost.getCount()).isOne();
    time.advance(Duration.ofMillis(1));

    assertThat(lock.isHeld()).isFalse();
    assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(lock.extend(TTL)).isEqualTo(NotExtended.EXPIRED);
    lock.close();
  }

  @Test
  default void aLossThatTheStoreTellsIsPassedOn() throws Exception {
    MovableTime time = MovableTime.frozen();
    CountDownLatch lost = new CountDownLatch(1);
    LockHandle lock =
        take(on(time), newKey(), TTL).onLost(lost::countDown).autoExtend(Duration.ofHours(1));
    otherLocks().release(lock.lockId());

    time.advance(TTL.dividedBy(3));

    assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(lock.isHeld()).isFalse();
    lock.close();
  }

  @Test
  default void aListenerThatComesLateIsToldAtOnce() throws Exception {
    MovableTime time = MovableTime.frozen();
    LockHandle lock = take(on(time), newKey(), TTL);
    otherLocks().release(lock.lockId());
    assertThat(lock.extend(TTL)).isEqualTo(NotExtended.NOT_FOUND);

    CountDownLatch told = new CountDownLatch(1);
    lock.onLost(told::countDown);

    assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
    lock.close();
  }

  @Test
  default void aReleasedLockIsNotLost() throws Exception {
    MovableTime time = MovableTime.frozen();
    Locks locks = on(time);
    AtomicInteger lost = new AtomicInteger();
    CountDownLatch control = new CountDownLatch(1);
    LockHandle released = take(locks, newKey(), TTL).onLost(lost::incrementAndGet);
    LockHandle kept = take(locks, newKey(), TTL).onLost(control::countDown);
    released.close();
    released.onLost(lost::incrementAndGet);

    time.advance(TTL);

    assertThat(control.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(lost).hasValue(0);
    kept.close();
  }

  @Test
  default void anExtensionThatFailedIsTriedAgainInTime() throws Exception {
    MovableTime time = MovableTime.frozen();
    FaultyClient client = openFaultyInPlace(GuardOptions.defaults().withTimeSource(time));
    try (LockHandle lock = take(client.locks(), newKey(), TTL).autoExtend(Duration.ofHours(1))) {
      Instant before = lock.expiresAt();
      fixture().passTime(Duration.ofMillis(5));
      client.faults().refuse(3);
      for (int i = 0; i < 8 && lock.expiresAt().equals(before); i++) {
        time.advance(TTL.dividedBy(10));
      }
      assertThat(lock.expiresAt()).isAfter(before);
      assertThat(lock.isHeld()).isTrue();
    }
  }

  @Test
  default void theGuardedCodeIsInterruptedOnLossIfItAskedForThat() {
    MovableTime time = MovableTime.frozen();
    String key = newKey();
    LockOptions options = LockOptions.defaults().withTtl(TTL).withInterruptOnLoss();
    assertThatThrownBy(
            () ->
                on(time)
                    .run(
                        key,
                        options,
                        lock -> {
                          time.advance(TTL);
                          Thread.sleep(Duration.ofMinutes(1).toMillis());
                        }))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void codeThatTookNoNoticeOfItsInterruptDoesNotLeaveItBehind() {
    MovableTime time = MovableTime.frozen();
    LockOptions options = LockOptions.defaults().withTtl(TTL).withInterruptOnLoss();
    assertFails(
        Code.LOCK_LOST,
        () ->
            on(time)
                .run(
                    newKey(),
                    options,
                    lock -> {
                      time.advance(TTL);
                      while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                      }
                    }));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  default void aWaitingAcquisitionCanAskForAutoExtension() throws Exception {
    MovableTime time = MovableTime.frozen();
    LockOptions options = LockOptions.defaults().withTtl(TTL).withAutoExtend(Duration.ofHours(1));
    try (LockHandle lock = on(time).lock(newKey(), options)) {
      Instant before = lock.expiresAt();
      fixture().passTime(Duration.ofMillis(5));
      time.advance(TTL.dividedBy(3));
      eventually(() -> assertThat(lock.expiresAt()).isAfter(before));
    }
  }

  private Locks on(MovableTime time) {
    return open(GuardOptions.defaults().withTimeSource(time)).locks();
  }
}
