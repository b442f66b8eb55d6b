package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.fault.Interception;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A loss is told before the lease ends, and auto-extension goes on until then, whatever was done to
 * the lease in between. Core's time is the test's; extensions are made in the thread that moves it.
 */
public interface LossSuite extends LockSuite {

  /** A lifetime that does not end within one of these tests. */
  Duration LASTING = Duration.ofSeconds(30);

  /** A lifetime whose loss is told 30 ms before its end. */
  Duration BRIEF = Duration.ofMillis(300);

  @Test
  default void aLossIsToldInTimeAfterAnExtensionToAShorterLifetime() throws Exception {
    MovableTime time = MovableTime.frozen();
    Loss loss = Loss.of(take(faulty(time).locks(), newKey(), LASTING));

    assertThat(loss.lock().extend(BRIEF).isExtended()).isTrue();

    loss.assertTold(time, Duration.ofMillis(270));
  }

  @Test
  default void aLossIsToldInTimeAfterAShorterExtensionInDoubt() throws Exception {
    MovableTime time = MovableTime.frozen();
    FaultyClient client = faulty(time);
    Loss loss = Loss.of(take(client.locks(), newKey(), LASTING));
    client.faults().loseReplies(1);

    assertFails(Code.NETWORK_TIMEOUT, () -> loss.lock().extend(BRIEF));

    loss.assertTold(time, Duration.ofMillis(270));
  }

  @Test
  default void aLossIsToldInTimeWhileAShorterExtensionIsNotAnswered() throws Exception {
    MovableTime time = MovableTime.frozen();
    Loss loss = Loss.of(take(answeringLater(time, new ConcurrentLinkedQueue<>()), newKey(), LONG));

    CompletableFuture<?> unanswered = loss.lock().extendAsync(BRIEF).toCompletableFuture();

    loss.assertTold(time, Duration.ofMillis(270));
    assertThat(unanswered).isNotDone();
  }

  @Test
  default void aLossIsToldInTimeAfterASecondAutoExtensionWithAShorterCap() throws Exception {
    MovableTime time = MovableTime.frozen();
    Loss loss = Loss.of(take(faulty(time).locks(), newKey(), LASTING));

    loss.lock().autoExtend(Duration.ofHours(1)).autoExtend(Duration.ofSeconds(5));

    loss.assertTold(time, Duration.ofMillis(4500));
  }

  @Test
  default void aLossIsToldInTimeAfterAnExtensionBeyondTheCap() throws Exception {
    MovableTime time = MovableTime.frozen();
    Loss loss = Loss.of(take(faulty(time).locks(), newKey(), LASTING));

    loss.lock().autoExtend(LASTING).extend(Duration.ofHours(1));

    loss.assertTold(time, LASTING.minusMillis(500));
  }

  @Test
  default void aLaterAutoExtensionWithALongerCapGoesOnAfterTheLastExtension() {
    MovableTime time = MovableTime.frozen();
    try (LockHandle lock = take(faulty(time).locks(), newKey(), LASTING)) {
      lock.autoExtend(LASTING.plusMillis(100));
      assertHeldFor(Duration.ofSeconds(29), lock, time);

      lock.autoExtend(Duration.ofHours(1));

      assertHeldFor(LASTING.multipliedBy(3), lock, time);
    }
  }

  @Test
  default void autoExtensionKeepsUpWithAShorterLifetime() {
    MovableTime time = MovableTime.frozen();
    FaultyClient client = faulty(time);
    try (LockHandle lock = take(client.locks(), newKey(), LASTING)) {
      lock.autoExtend(Duration.ofHours(1)).extend(Duration.ofSeconds(3));
      int before = client.faults().operations();

      assertHeldFor(Duration.ofSeconds(30), lock, time);

      assertThat(client.faults().operations() - before).isBetween(20, 40);
    }
  }

  @Test
  default void autoExtensionMakesUpForAShorterExtensionInDoubt() {
    MovableTime time = MovableTime.frozen();
    FaultyClient client = faulty(time);
    try (LockHandle lock = take(client.locks(), newKey(), LASTING)) {
      lock.autoExtend(Duration.ofHours(1));
      client.faults().loseReplies(1);
      assertFails(Code.NETWORK_TIMEOUT, () -> lock.extend(Duration.ofSeconds(3)));
      client.faults().refuse(3);

      assertHeldFor(LASTING, lock, time);
    }
  }

  @Test
  default void aCallerThatCancelsAnExtensionDoesNotPinTheLease() {
    MovableTime time = MovableTime.frozen();
    Queue<Runnable> unanswered = new ConcurrentLinkedQueue<>();
    try (LockHandle lock = take(answeringLater(time, unanswered), newKey(), LASTING)) {
      lock.extendAsync(LASTING).toCompletableFuture().cancel(true);
      unanswered.remove().run();

      assertThat(lock.extend(LASTING.multipliedBy(4)).isExtended()).isTrue();

      assertHeldFor(LASTING.multipliedBy(3), lock, time);
    }
  }

  private static void assertHeldFor(Duration duration, LockHandle lock, MovableTime time) {
    Duration step = Duration.ofMillis(100);
    for (Duration passed = step; passed.compareTo(duration) <= 0; passed = passed.plus(step)) {
      time.advance(step);
      assertThat(lock.isHeld()).as("held after %s", passed).isTrue();
    }
  }

  private FaultyClient faulty(MovableTime time) {
    return openFaultyInPlace(GuardOptions.defaults().withTimeSource(time));
  }

  /** The first extension is carried out when the test runs it. */
  private Locks answeringLater(MovableTime time, Queue<Runnable> unanswered) {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    return openInPlace(
            GuardOptions.defaults().withTimeSource(time),
            Interception.on(
                LockOperation.Extend.class,
                (extend, call, next) -> {
                  if (!isFirst.getAndSet(false)) {
                    return next.execute(extend, call);
                  }
                  CompletableFuture<ExtendResult> answer = new CompletableFuture<>();
                  unanswered.add(
                      () ->
                          answer.completeAsync(
                              () -> LockSuite.join(next.execute(extend, call)), Runnable::run));
                  return answer;
                }))
        .locks();
  }

  /** A lock with a listener. */
  record Loss(LockHandle lock, CountDownLatch told) {

    static Loss of(LockHandle lock) {
      CountDownLatch told = new CountDownLatch(1);
      return new Loss(lock.onLost(told::countDown), told);
    }

    void assertTold(MovableTime time, Duration after) throws InterruptedException {
      time.advance(after.minusMillis(1));
      assertThat(lock.isHeld()).isTrue();
      assertThat(told.getCount()).isOne();
      time.advance(Duration.ofMillis(1));
      assertThat(lock.isHeld()).isFalse();
      assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
      lock.close();
    }
  }
}
