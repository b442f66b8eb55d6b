package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.ReleaseErrorHandler;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.lock.RetryPolicy;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.fault.Faults;
import io.syncguard.testkit.fault.Interception;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Replies that get lost and a store that is away for a while. */
public interface FaultSuite extends LockSuite {

  private FaultyClient faultyClient() {
    return openFaulty(GuardOptions.defaults());
  }

  @Test
  default void aLostReplyDoesNotLockTheCallerOut() {
    String key = newKey();
    FaultyClient client = faultyClient();
    client.faults().loseReplies(1);
    try (LockHandle lock = client.locks().lock(key, LockOptions.defaults().withTtl(LONG))) {
      assertThat(otherLocks().getByKeyRaw(key).orElseThrow().lockId()).isEqualTo(lock.lockId());
      assertThat(otherLocks().getByKey(key).orElseThrow().fence()).isEqualTo(lock.fence());
    }
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void aLostReplyDoesNotLockAnAsynchronousCallerOut() {
    String key = newKey();
    FaultyClient client = faultyClient();
    client.faults().loseReplies(1);
    LockHandle lock = join(client.locks().async().lock(key, LockOptions.defaults().withTtl(LONG)));
    assertThat(otherLocks().owns(lock.lockId())).isTrue();
    assertThat(join(lock.releaseAsync())).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  default void anAcquisitionGivenUpInDoubtLeavesNoLockBehind() throws Exception {
    String key = newKey();
    // Not releases: one that is asked again in the background would lose the reply instead.
    FaultyClient client =
        openFaulty(GuardOptions.defaults(), Faults.on(LockOperation.Acquire.class));
    client.faults().loseReplies(1);
    SyncGuardException failure =
        assertFails(Code.NETWORK_TIMEOUT, () -> client.locks().tryLock(key, LONG));
    assertThat(failure.isOutcomeUnknown()).isTrue();
    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());

    client.faults().loseReplies(1);
    assertFails(Code.NETWORK_TIMEOUT, () -> join(client.locks().async().tryLock(key, LONG)));
    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());

    client.faults().loseReplies(1);
    assertFails(
        Code.NETWORK_TIMEOUT,
        () -> client.locks().lock(key, LockOptions.defaults().withMaxWait(Duration.ZERO)));
    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());
  }

  @Test
  default void anAcquisitionGivenUpIsNotAskedForUntilItsLockWouldHaveExpired() throws Exception {
    MovableTime time = MovableTime.flowing();
    FaultyClient client = openFaulty(GuardOptions.defaults().withTimeSource(time));
    Duration ttl = Duration.ofHours(1);
    client.faults().loseReplies(2);
    assertFails(Code.NETWORK_TIMEOUT, () -> client.locks().tryLock(newKey(), ttl));
    eventually(
        () -> {
          time.advance(Duration.ofMinutes(1));
          assertThat(client.faults().operations()).isGreaterThanOrEqualTo(4);
        });
    for (int minutes = 0; minutes < 20; minutes++) {
      time.advance(Duration.ofMinutes(1));
    }
    assertThat(client.faults().operations()).isLessThanOrEqualTo(5);
  }

  @Test
  default void aGrantThatComesWhenItsLifetimeIsOverIsGivenBack() throws Exception {
    MovableTime time = MovableTime.frozen();
    Locks slow =
        open(
                GuardOptions.defaults().withTimeSource(time),
                Interception.on(
                    LockOperation.Acquire.class,
                    (acquire, call, next) ->
                        next.execute(acquire, call)
                            .thenApply(
                                answer -> {
                                  time.advance(acquire.ttl());
                                  return answer;
                                })))
            .locks();
    String key = newKey();

    SyncGuardException failure = assertFails(Code.NETWORK_TIMEOUT, () -> slow.tryLock(key, LONG));
    assertThat(failure.isOutcomeUnknown()).isTrue();
    assertThat(failure).hasMessageContaining(LONG.toString()).hasMessageNotContaining(key);
    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());

    assertFails(Code.NETWORK_TIMEOUT, () -> join(slow.async().tryLock(key, LONG)));
    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());

    LockOptions once = LockOptions.defaults().withTtl(LONG).withMaxWait(Duration.ZERO);
    assertFails(Code.NETWORK_TIMEOUT, () -> slow.lock(key, once));
    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());

    assertFails(Code.NETWORK_TIMEOUT, () -> join(slow.async().lock(key, once)));
    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());
  }

  @Test
  default void aReleaseWhoseReplyWasLostIsAskedForAgain() {
    String key = newKey();
    FaultyClient client = faultyClient();
    LockHandle lock = take(client.locks(), key, LONG);
    client.faults().loseReplies(1);
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);

    LockHandle second = take(client.locks(), key, LONG);
    client.faults().loseReplies(2);
    assertThat(join(second.releaseAsync())).isEqualTo(ReleaseResult.RELEASED);
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void aStoreThatIsAwayForAWhileIsAskedAgain() {
    String key = newKey();
    FaultyClient client = faultyClient();
    LockOptions options =
        LockOptions.defaults()
            .withMaxWait(Duration.ofSeconds(30))
            .withRetry(
                RetryPolicy.defaults()
                    .withMaxRetries(10)
                    .withDelay(Duration.ofMillis(5))
                    .withBackoff(Backoff.FIXED)
                    .withJitter(Jitter.NONE));
    client.faults().refuse(3);
    LockHandle lock = client.locks().lock(key, options);
    client.faults().refuse(2);
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  default void aStoreThatStaysAwayIsReportedAsSuch() {
    FaultyClient client = faultyClient();
    client.faults().refuse(Integer.MAX_VALUE);
    LockOptions options =
        LockOptions.defaults()
            .withRetry(
                RetryPolicy.defaults()
                    .withMaxRetries(2)
                    .withDelay(Duration.ofMillis(1))
                    .withBackoff(Backoff.FIXED)
                    .withJitter(Jitter.NONE));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> client.locks().lock(newKey(), options));
    assertFails(
        Code.SERVICE_UNAVAILABLE, () -> join(client.locks().async().lock(newKey(), options)));
  }

  @Test
  default void closingTellsTheHandlerWhatItCouldNotRelease() {
    Queue<SyncGuardException> errors = new ConcurrentLinkedQueue<>();
    Queue<ReleaseErrorHandler.Failure> failures = new ConcurrentLinkedQueue<>();
    FaultyClient client =
        openFaulty(
            GuardOptions.defaults()
                .withDisposeTimeout(Duration.ofMillis(1))
                .withOnReleaseError(
                    (error, failure) -> {
                      errors.add(error);
                      failures.add(failure);
                      throw new IllegalStateException("a handler that fails");
                    }));
    String key = newKey();
    LockHandle lock = take(client.locks(), key, LONG);
    client.faults().refuse(1);

    lock.close();
    lock.close();

    assertThat(errors)
        .extracting(SyncGuardException::code)
        .containsExactly(Code.SERVICE_UNAVAILABLE);
    assertThat(failures).containsExactly(failureToClose(lock));
    assertThat(failures.element().toString()).doesNotContain(key);
    assertThat(lock.isHeld()).isFalse();
  }

  private static ReleaseErrorHandler.Failure failureToClose(LockHandle lock) {
    return new ReleaseErrorHandler.Failure(
        Subject.ofLock(lock.key(), lock.lockId().value()), ReleaseErrorHandler.Source.CLOSE);
  }

  @Test
  default void theHelperTellsItsOwnHandlerWhatItCouldNotRelease() {
    Queue<ReleaseErrorHandler.Failure> failures = new ConcurrentLinkedQueue<>();
    FaultyClient client =
        openFaulty(GuardOptions.defaults().withDisposeTimeout(Duration.ofMillis(1)));
    String key = newKey();
    String result =
        client
            .locks()
            .call(
                key,
                LockOptions.defaults()
                    .withOnReleaseError((error, failure) -> failures.add(failure)),
                lock -> {
                  client.faults().refuse(1);
                  return "done";
                });
    assertThat(result).isEqualTo("done");
    assertThat(failures)
        .extracting(ReleaseErrorHandler.Failure::source)
        .containsExactly(ReleaseErrorHandler.Source.HELPER);
  }

  @Test
  default void aHandleTellsTheHandlerOfItsOptionsWhatItCouldNotRelease() throws Exception {
    Queue<ReleaseErrorHandler.Failure> ofTheGuard = new ConcurrentLinkedQueue<>();
    Queue<ReleaseErrorHandler.Failure> ofTheOptions = new ConcurrentLinkedQueue<>();
    FaultyClient client =
        openFaulty(
            GuardOptions.defaults()
                .withDisposeTimeout(Duration.ofMillis(1))
                .withOnReleaseError((error, failure) -> ofTheGuard.add(failure)));
    LockOptions options =
        LockOptions.defaults().withOnReleaseError((error, failure) -> ofTheOptions.add(failure));
    LockHandle lock = client.locks().lock(newKey(), options);
    LockHandle asynchronous = join(client.locks().async().lock(newKey(), options));

    // All: one refusal would be taken by the release of the first, which goes on in the background.
    client.faults().refuse(Integer.MAX_VALUE);
    lock.close();
    asynchronous.close();
    eventually(
        () ->
            assertThat(ofTheOptions)
                .containsExactly(failureToClose(lock), failureToClose(asynchronous)));
    client.faults().refuse(0);

    assertThat(ofTheGuard).isEmpty();
  }

  @Test
  default void aReleaseThatWasGivenUpGoesOnInTheBackground() throws Exception {
    FaultyClient client =
        openFaulty(
            GuardOptions.defaults()
                .withDisposeTimeout(Duration.ofMillis(1))
                .withOnReleaseError((error, failure) -> {}));
    String key = newKey();
    LockHandle lock = take(client.locks(), key, LONG);
    client.faults().refuse(2);

    lock.close();

    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());
  }
}
