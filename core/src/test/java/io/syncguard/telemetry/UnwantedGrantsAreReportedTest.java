package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.GuardOptions;
import io.syncguard.Primitive;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockOptions;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.Operation;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lock or a permit that its caller was never given is given back, and is no hold. */
class UnwantedGrantsAreReportedTest {

  private static final String NAME = "patient:4711";
  private static final Duration TTL = Duration.ofSeconds(30);

  private final HandMovedTime time = new HandMovedTime();
  private final RecordedEvents events = new RecordedEvents();
  private Supplier<@Nullable CompletionStage<?>> answer = () -> null;
  private final AnsweringStore store = new AnsweringStore(time, this::answerAcquisition);
  private final SyncGuard guard =
      SyncGuard.over(
          store, GuardOptions.defaults().withTimeSource(time).withTelemetry(Telemetry.to(events)));
  private final FairSemaphore semaphore =
      guard.semaphore(
          NAME, 1, SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(10)).withTtl(TTL));

  private @Nullable CompletionStage<?> answerAcquisition(Operation<?> operation) {
    return operation instanceof LockOperation.Acquire
            || operation instanceof SemaphoreOperation.Acquire
        ? answer.get()
        : null;
  }

  @AfterEach
  void closeGuard() {
    guard.close();
  }

  @ParameterizedTest
  @CsvSource({"LOCK", "SEMAPHORE"})
  void aGrantAfterTheCallerHasCancelledItsFuture(Primitive primitive) {
    CompletableFuture<Object> unanswered = new CompletableFuture<>();
    answer = () -> unanswered;
    CompletionStage<?> waiting =
        primitive == Primitive.LOCK
            ? guard.locks().async().lock(NAME)
            : semaphore.async().acquire();
    assertThat(waiting.toCompletableFuture().cancel(true)).isTrue();
    assertThat(events.of(guard, Event.class)).isEmpty();

    unanswered.complete(grant(primitive));

    List<Event> reported = events.of(guard, Event.class);
    assertThat(reported)
        .filteredOn(OperationEvent.class::isInstance)
        .extracting(event -> RecordedEvents.text((OperationEvent) event))
        .containsExactly("acquire ok", "release fail not-found");
    assertThat(reported)
        .filteredOn(event -> !(event instanceof OperationEvent))
        .singleElement()
        .isInstanceOfSatisfying(
            WaitEvent.class, wait -> assertThat(wait.errorCode()).isEqualTo(Code.ABORTED));
  }

  @ParameterizedTest
  @CsvSource({"LOCK, false", "LOCK, true", "SEMAPHORE, false", "SEMAPHORE, true"})
  void aGrantToAnAttemptWhoseTimeIsOverWhenItArrives(Primitive primitive, boolean asynchronous) {
    answer = () -> late(primitive);

    Failure.of(Code.NETWORK_TIMEOUT, () -> attempt(primitive, asynchronous));

    assertThat(events.of(guard, HoldEvent.class)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"LOCK", "SEMAPHORE"})
  void aGrantToAWaitWhoseTimeIsOverWhenItArrives(Primitive primitive) throws Exception {
    answer =
        () -> {
          answer = () -> CompletableFuture.completedFuture(grant(primitive));
          return late(primitive);
        };
    Duration wait = Duration.ofMinutes(5);
    AutoCloseable held =
        primitive == Primitive.LOCK
            ? guard.locks().lock(NAME, LockOptions.defaults().withTtl(TTL).withMaxWait(wait))
            : semaphore.acquire(wait);

    assertThat(events.of(guard, HoldEvent.class)).isEmpty();
    held.close();
    assertThat(events.of(guard, HoldEvent.class)).hasSize(1);
  }

  private CompletionStage<?> late(Primitive primitive) {
    time.move(TTL);
    return CompletableFuture.completedFuture(grant(primitive));
  }

  private static Object grant(Primitive primitive) {
    return primitive == Primitive.LOCK
        ? new AcquireAttempt.Granted(Fence.of(1), Instant.EPOCH)
        : new PermitAttempt.Held(1, Instant.EPOCH);
  }

  private Object attempt(Primitive primitive, boolean asynchronous) {
    if (!asynchronous) {
      return primitive == Primitive.LOCK
          ? guard.locks().tryLock(NAME, TTL)
          : semaphore.tryAcquire();
    }
    CompletionStage<?> attempt =
        primitive == Primitive.LOCK
            ? guard.locks().async().tryLock(NAME, TTL)
            : semaphore.async().tryAcquire();
    try {
      return attempt.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (SyncGuardException) e.getCause();
    }
  }
}
