package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.lock.RetryPolicy;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import io.syncguard.spi.Call;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.ForwardingLocks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Running code under a lock: what it is given, when it is tried again, when it is given up. */
public interface HelperSuite extends LockSuite {

  @Test
  default void theTaskGetsItsHandleAndTheLockIsFreeAfterwards() {
    String key = newKey();
    String fence =
        locks()
            .call(
                key,
                lock -> {
                  assertThat(otherLocks().owns(lock.lockId())).isTrue();
                  assertThat(lock.key()).isEqualTo(key);
                  return lock.fence().toString();
                });
    assertThat(fence).hasSize(15);
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void whatTheTaskThrowsComesThroughAndTheLockIsFreeAfterwards() {
    String key = newKey();
    assertThatThrownBy(
            () ->
                locks()
                    .run(
                        key,
                        lock -> {
                          throw new IOException("from the task");
                        }))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("from the task");
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void aTaskMayReleaseItsLockItself() {
    String key = newKey();
    locks().run(key, lock -> assertThat(lock.release().isReleased()).isTrue());
    take(otherLocks(), key, LONG).close();
  }

  @Test
  default void theDefaultPausesDoubleFromAHundredMillisecondsUntilFiveSecondsAreOver() {
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(10)
            .withDelay(Duration.ofMillis(100))
            .withBackoff(Backoff.EXPONENTIAL)
            .withJitter(Jitter.NONE);
    assertThat(napsUntilGivenUp(LockOptions.defaults().withRetry(policy)))
        .isEqualTo(millis(100, 200, 400, 800, 1600, 1900));
  }

  @Test
  default void fixedPausesStayTheSame() {
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(100)
            .withDelay(Duration.ofMillis(700))
            .withBackoff(Backoff.FIXED)
            .withJitter(Jitter.NONE);
    assertThat(
            napsUntilGivenUp(
                LockOptions.defaults().withMaxWait(Duration.ofSeconds(2)).withRetry(policy)))
        .isEqualTo(millis(700, 700, 600));
  }

  @ParameterizedTest
  @EnumSource(
      value = Jitter.class,
      names = {"EQUAL", "FULL"})
  default void jitterShortensPausesButNotBelowItsBound(Jitter jitter) {
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(50)
            .withDelay(Duration.ofSeconds(1))
            .withBackoff(Backoff.FIXED)
            .withJitter(jitter);
    List<Duration> naps =
        napsUntilGivenUp(LockOptions.defaults().withMaxWait(Duration.ofHours(1)).withRetry(policy));
    assertThat(naps).hasSize(50);
    Duration least = jitter == Jitter.EQUAL ? Duration.ofMillis(500) : Duration.ZERO;
    assertThat(naps).allMatch(nap -> nap.compareTo(least) >= 0);
    assertThat(naps).allMatch(nap -> nap.compareTo(Duration.ofSeconds(1)) <= 0);
    assertThat(naps).doesNotHaveDuplicates();
  }

  @Test
  default void retriesAreLimited() {
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(3)
            .withDelay(Duration.ofMillis(10))
            .withBackoff(Backoff.FIXED)
            .withJitter(Jitter.NONE);
    assertThat(napsUntilGivenUp(LockOptions.defaults().withRetry(policy)))
        .isEqualTo(millis(10, 10, 10));
  }

  @Test
  default void aLongTimeoutIsWaitedOutWithPausesOfAFewSeconds() {
    Duration timeout = Duration.ofMinutes(8);
    List<Duration> naps = napsUntilGivenUp(LockOptions.defaults().withMaxWait(timeout));
    assertThat(sum(naps)).isEqualTo(timeout);
    assertThat(naps).allMatch(nap -> nap.compareTo(Duration.ofSeconds(5)) <= 0);
  }

  @Test
  default void aLongTimeoutIsWaitedOutWhileTheStoreFails() {
    Duration timeout = Duration.ofMinutes(8);
    MovableTime time = MovableTime.frozen();
    FaultyClient client = openFaulty(GuardOptions.defaults().withTimeSource(time));
    client.faults().refuse(Integer.MAX_VALUE);
    assertFails(
        Code.SERVICE_UNAVAILABLE,
        () -> client.locks().lock(newKey(), LockOptions.defaults().withMaxWait(timeout)));
    assertThat(passed(time)).isEqualTo(timeout);
  }

  @Test
  default void retriesDoNotLimitAWaiterThatTheStoreWillTell() {
    String key = newKey();
    MovableTime time = MovableTime.frozen();
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(3)
            .withDelay(Duration.ofSeconds(1))
            .withBackoff(Backoff.FIXED)
            .withJitter(Jitter.NONE);
    LockOptions options = LockOptions.defaults().withRetry(policy);
    try (LockHandle holder = take(otherLocks(), key, LONG)) {
      assertFails(
          Code.ACQUISITION_TIMEOUT,
          () ->
              on(time, locks -> hintedThrough(locks, new CopyOnWriteArrayList<>()))
                  .lock(key, options));
      assertThat(holder.isHeld()).isTrue();
    }
    assertThat(passed(time)).isEqualTo(LockOptions.DEFAULT_TIMEOUT);
  }

  @Test
  default void noRetryMeansASingleAttempt() {
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(0)
            .withDelay(Duration.ofSeconds(1))
            .withBackoff(Backoff.FIXED)
            .withJitter(Jitter.NONE);
    assertThat(napsUntilGivenUp(LockOptions.defaults().withRetry(policy))).isEmpty();
  }

  /** Other than the naps' sum this knows of those that a hint ended early. */
  private static Duration passed(MovableTime frozen) {
    return Duration.ofNanos(frozen.nanoTime());
  }

  private static Duration sum(List<Duration> naps) {
    return naps.stream().reduce(Duration.ZERO, Duration::plus);
  }

  @Test
  default void noTimeMeansASingleAttempt() {
    assertThat(napsUntilGivenUp(LockOptions.defaults().withMaxWait(Duration.ZERO))).isEmpty();
  }

  @Test
  default void aWaiterSleepsNoLongerThanTheHolderHas() {
    String key = newKey();
    Duration ttl = Duration.ofSeconds(2);
    MovableTime time = MovableTime.frozen();
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(1)
            .withDelay(Duration.ofHours(1))
            .withBackoff(Backoff.FIXED)
            .withJitter(Jitter.NONE);
    LockHandle holder = take(otherLocks(), key, ttl);
    time.duringEachNap(holder::close);
    on(time, HelperSuite::withoutNotification)
        .lock(key, LockOptions.defaults().withMaxWait(LONG).withRetry(policy))
        .close();
    Duration longest = ttl.plusMillis(Liveness.TOLERANCE_MS);
    assertThat(time.naps()).isNotEmpty().allMatch(nap -> nap.compareTo(longest) <= 0);
  }

  @Test
  default void thereIsOneLastTryAtTheDeadline() {
    String key = newKey();
    MovableTime time = MovableTime.frozen();
    LockHandle holder = take(otherLocks(), key, LONG);
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(1)
            .withDelay(Duration.ofHours(1))
            .withBackoff(Backoff.FIXED)
            .withJitter(Jitter.NONE);
    time.duringEachNap(holder::close);

    on(time, HelperSuite::withoutNotification)
        .lock(key, LockOptions.defaults().withRetry(policy))
        .close();

    assertThat(time.naps()).containsExactly(LockOptions.DEFAULT_TIMEOUT);
  }

  @Test
  default void aHintIsNoRetry() {
    String key = newKey();
    MovableTime time = MovableTime.frozen();
    List<Runnable> watching = new CopyOnWriteArrayList<>();
    AtomicInteger hints = new AtomicInteger();
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(1)
            .withDelay(Duration.ofMinutes(1))
            .withBackoff(Backoff.FIXED)
            .withJitter(Jitter.NONE);
    LockHandle holder = take(otherLocks(), key, LONG);
    time.duringEachNap(
        () -> {
          time.advance(Duration.ofMillis(10));
          if (hints.incrementAndGet() > 20) {
            holder.close();
          }
          watching.forEach(Runnable::run);
        });

    on(time, locks -> hintedThrough(locks, watching))
        .lock(key, LockOptions.defaults().withMaxWait(LONG).withRetry(policy))
        .close();

    assertThat(hints).hasValueGreaterThan(20);
  }

  /** Without notification: a hint, which may come at any time, would make for one more nap. */
  private List<Duration> napsUntilGivenUp(LockOptions options) {
    String key = newKey();
    MovableTime time = MovableTime.frozen();
    try (LockHandle holder = take(otherLocks(), key, LONG)) {
      assertFails(
          Code.ACQUISITION_TIMEOUT,
          () -> on(time, HelperSuite::withoutNotification).lock(key, options));
      assertThat(holder.isHeld()).isTrue();
    }
    return time.naps();
  }

  private Locks on(MovableTime time, UnaryOperator<LockBackend> decoration) {
    return openOver(
            GuardOptions.defaults().withTimeSource(time),
            store -> DecoratedStore.withLocks(store, decoration))
        .locks();
  }

  private static LockBackend withoutNotification(LockBackend locks) {
    return new Unhinted(locks);
  }

  private static LockBackend hintedThrough(LockBackend locks, List<Runnable> watching) {
    return new Unhinted(locks) {
      @Override
      public Optional<Watch> watch(
          LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
        watching.add(hints::look);
        return Optional.of(() -> {});
      }
    };
  }

  /** Locks without hints of the store's, whose waiters ask for themselves. */
  class Unhinted extends ForwardingLocks {

    Unhinted(LockBackend locks) {
      super(locks);
    }

    @Override
    public boolean hasQueue() {
      return false;
    }

    @Override
    public CompletionStage<AcquireAttempt> acquire(LockOperation.Acquire acquire, Call call) {
      return super.acquire(
          new LockOperation.Acquire(acquire.key(), acquire.lockId(), acquire.ttl(), false), call);
    }

    @Override
    public Optional<Watch> watch(LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
      return Optional.empty();
    }
  }

  private static List<Duration> millis(long... values) {
    return LongStream.of(values).mapToObj(Duration::ofMillis).toList();
  }
}
