package io.syncguard.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Views;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.limit.LimitOperation;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.ProofHash;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.spi.secret.ViewAttempt;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.RecordedEvents;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each answer to each operation is reported as, whether the store answers at once or later.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class OutcomesTest {

  private static final ResourceKey NAME = ResourceKey.of("patient:4711");
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Instant EXPIRY = Instant.EPOCH.plusSeconds(10);
  private static final AcquireAttempt.Granted GRANTED =
      new AcquireAttempt.Granted(Fence.of(1), EXPIRY);
  private static final SemaphoreStats STATS =
      new SemaphoreStats(NAME.value(), 1, 1, 0, Duration.ZERO);

  @Parameter boolean answeredLater;

  private final RecordedEvents events = new RecordedEvents();
  private final Events reporting = new Events(Telemetry.to(events));

  /** An answer and the texts of the events that it leads to. */
  private record Case<A>(Operation<A> operation, A answer, List<String> expected) {

    static <A> Case<A> of(Operation<A> operation, A answer, String... expected) {
      return new Case<>(operation, answer, List.of(expected));
    }

    Class<?> kind() {
      return operation.getClass();
    }

    /** Becomes the name of the test. */
    @Override
    public String toString() {
      return kind().getSimpleName() + " answered with " + answer;
    }
  }

  static Stream<Case<?>> locks() {
    LockId id = LockId.random();
    LockReference lock = new LockReference(id, NAME);
    LockReference byId = new LockReference(id, null);
    LockOperation.Acquire acquire = new LockOperation.Acquire(NAME, id, TTL, false);
    LockOperation.Release release = new LockOperation.Release(lock);
    LockOperation.Extend extend = new LockOperation.Extend(lock, TTL);
    LockOperation.KeepWaiting keepWaiting = new LockOperation.KeepWaiting(List.of(lock, lock));
    RawLockInfo info = new RawLockInfo(NAME.value(), id, EXPIRY, Instant.EPOCH, Fence.of(1));
    return Stream.of(
        Case.of(acquire, GRANTED, "lock acquire ok, name, 1 id"),
        Case.of(acquire, new AcquireAttempt.Held(TTL), "lock acquire fail locked, name, 1 id"),
        Case.of(release, ReleaseResult.RELEASED, "lock release ok, name, 1 id"),
        Case.of(release, ReleaseResult.EXPIRED, "lock release fail expired, name, 1 id"),
        Case.of(release, ReleaseResult.NOT_FOUND, "lock release fail not-found, name, 1 id"),
        Case.of(new LockOperation.Release(byId), ReleaseResult.RELEASED, "lock release ok, 1 id"),
        Case.of(extend, new Extended(EXPIRY), "lock extend ok, name, 1 id"),
        Case.of(extend, NotExtended.EXPIRED, "lock extend fail expired, name, 1 id"),
        Case.of(extend, NotExtended.NOT_FOUND, "lock extend fail not-found, name, 1 id"),
        Case.of(acquire, new AcquireAttempt.Queued(1, TTL), "lock acquire fail queued, name, 1 id"),
        Case.of(
            keepWaiting,
            List.of(PlaceState.WAITING, PlaceState.WAITING),
            "lock keepWaiting ok, 2 ids"),
        Case.of(
            keepWaiting,
            List.of(PlaceState.WAITING, PlaceState.GONE),
            "lock keepWaiting fail lost, 2 ids"),
        Case.of(new LockOperation.IsLocked(NAME), true, "lock isLocked ok, name, 0 ids"),
        Case.of(new LockOperation.IsLocked(NAME), false, "lock isLocked fail, name, 0 ids"),
        Case.of(
            new LockOperation.FindByKey(NAME), Optional.of(info), "lock lookup ok, name, 0 ids"),
        Case.of(
            new LockOperation.FindByKey(NAME), Optional.empty(), "lock lookup fail, name, 0 ids"),
        Case.of(new LockOperation.FindById(id), Optional.of(info), "lock lookup ok, 1 id"),
        Case.of(new LockOperation.FindById(id), Optional.empty(), "lock lookup fail, 1 id"));
  }

  static Stream<Case<?>> semaphores() {
    PermitReference permit = new PermitReference(NAME, PermitId.random());
    SemaphoreOperation.Acquire acquire =
        new SemaphoreOperation.Acquire(permit, 1, TTL, TTL, true, true);
    SemaphoreOperation.Release release = new SemaphoreOperation.Release(permit);
    SemaphoreOperation.Resize resize = new SemaphoreOperation.Resize(NAME, 2);
    SemaphoreOperation.Stats stats = new SemaphoreOperation.Stats(NAME);
    SemaphoreOperation.AllStats allStats = new SemaphoreOperation.AllStats();
    SemaphoreOperation.Ping ping =
        new SemaphoreOperation.Ping(NAME, List.of(permit.id(), PermitId.random()), TTL);
    SemaphoreOperation.Confirm confirm = new SemaphoreOperation.Confirm(permit, TTL, TTL);
    return Stream.of(
        Case.of(confirm, PermitState.HOLDING, "semaphore confirm ok, name, 1 id"),
        Case.of(confirm, PermitState.GONE, "semaphore confirm fail lost, name, 1 id"),
        Case.of(acquire, new PermitAttempt.Held(1, EXPIRY), "semaphore acquire ok, name, 1 id"),
        Case.of(acquire, new PermitAttempt.Waiting(1), "semaphore acquire fail queued, name, 1 id"),
        Case.of(acquire, new PermitAttempt.Busy(), "semaphore acquire fail busy, name, 1 id"),
        Case.of(
            acquire,
            new PermitAttempt.LimitDiffers(3),
            "semaphore acquire fail limit-differs, name, 1 id"),
        Case.of(release, PermitReleaseResult.RELEASED, "semaphore release ok, name, 1 id"),
        Case.of(release, PermitReleaseResult.LEFT_QUEUE, "semaphore release ok, name, 1 id"),
        Case.of(
            release, PermitReleaseResult.NOT_FOUND, "semaphore release fail not-found, name, 1 id"),
        Case.of(
            ping,
            List.of(PermitState.HOLDING, PermitState.WAITING),
            "semaphore ping ok, name, 2 ids"),
        Case.of(
            ping,
            List.of(PermitState.HOLDING, PermitState.GONE),
            "semaphore ping fail lost, name, 2 ids"),
        Case.of(resize, true, "semaphore resize ok, name, 0 ids"),
        Case.of(resize, false, "semaphore resize fail not-found, name, 0 ids"),
        Case.of(stats, Optional.of(STATS), "semaphore stats ok, name, 0 ids"),
        Case.of(stats, Optional.empty(), "semaphore stats fail not-found, name, 0 ids"),
        Case.of(allStats, List.of(STATS), "semaphore stats ok, 0 ids"),
        Case.of(allStats, List.of(), "semaphore stats ok, 0 ids"));
  }

  static Stream<Case<?>> secrets() {
    SecretId id = SecretId.random();
    SecretOperation.Put put =
        new SecretOperation.Put(new NewSecret(id, new byte[1], ProofHash.NONE, Views.of(1), TTL));
    SecretOperation.View view = new SecretOperation.View(id, ProofHash.NONE);
    SecretOperation.Peek peek = new SecretOperation.Peek(id);
    SecretOperation.Burn burn = new SecretOperation.Burn(id);
    return Stream.of(
        Case.of(put, Optional.of(EXPIRY), "secret put ok, 1 id"),
        Case.of(put, Optional.empty(), "secret put fail exists, 1 id"),
        Case.of(
            view, new ViewAttempt.Revealed(new SecretView(new byte[1], 0)), "secret view ok, 1 id"),
        Case.of(view, new ViewAttempt.NotFound(), "secret view fail not-found, 1 id"),
        Case.of(view, new ViewAttempt.WrongProof(), "secret view fail wrong-key, 1 id"),
        Case.of(peek, Optional.of(new SecretInfo(1, EXPIRY)), "secret peek ok, 1 id"),
        Case.of(peek, Optional.empty(), "secret peek fail not-found, 1 id"),
        Case.of(burn, true, "secret burn ok, 1 id"),
        Case.of(burn, false, "secret burn fail not-found, 1 id"));
  }

  static Stream<Case<?>> limits() {
    LimitOperation.Increment increment = new LimitOperation.Increment(NAME, 1, TTL);
    LimitOperation.Current current = new LimitOperation.Current(NAME);
    LimitOperation.Reset reset = new LimitOperation.Reset(NAME);
    LimitOperation.Take take = new LimitOperation.Take(NAME, TTL, TTL);
    return Stream.of(
        Case.of(
            increment,
            new CounterResult.Counted(1, 0, EXPIRY),
            "counter increment ok, name, 0 ids"),
        Case.of(
            increment,
            new CounterResult.LimitReached(EXPIRY),
            "counter increment fail limited, name, 0 ids"),
        Case.of(
            current, Optional.of(new CounterState(1, EXPIRY)), "counter current ok, name, 0 ids"),
        Case.of(current, Optional.empty(), "counter current fail not-found, name, 0 ids"),
        Case.of(reset, true, "counter reset ok, name, 0 ids"),
        Case.of(reset, false, "counter reset fail not-found, name, 0 ids"),
        Case.of(take, new RateDecision.Allowed(), "rate-limiter acquire ok, name, 0 ids"),
        Case.of(
            take, new RateDecision.Limited(TTL), "rate-limiter acquire fail limited, name, 0 ids"));
  }

  @ParameterizedTest
  @MethodSource({"locks", "semaphores", "secrets", "limits"})
  <A> void anAnswerIsReportedAsWhatItMeans(Case<A> answered) {
    List<OperationEvent> reported = reported(answered);
    assertThat(reported)
        .extracting(event -> text(event, answered.operation()))
        .containsExactlyElementsOf(answered.expected());
    assertThat(reported)
        .allSatisfy(
            event -> {
              assertThat(event.errorCode()).isNull();
              assertThat(event.elapsed()).isGreaterThanOrEqualTo(Duration.ZERO);
            });
  }

  @Test
  void everyOperationIsInATable() {
    Stream<Class<?>> all =
        Stream.<Class<?>>of(
                LockOperation.class,
                SemaphoreOperation.class,
                SecretOperation.class,
                LimitOperation.class)
            .flatMap(primitive -> Stream.of(primitive.getPermittedSubclasses()));
    Stream<Class<?>> inTables =
        Stream.of(locks(), semaphores(), secrets(), limits())
            .flatMap(cases -> cases)
            .map(Case::kind);
    assertThat(inTables.distinct()).containsExactlyInAnyOrderElementsOf(all.toList());
  }

  private <A> List<OperationEvent> reported(Case<A> answered) {
    CompletableFuture<A> store = new CompletableFuture<>();
    if (!answeredLater) {
      store.complete(answered.answer());
    }
    CompletionStage<A> caller = answering(store).execute(answered.operation(), Call.plain());
    store.complete(answered.answer());
    assertThat(caller).isCompletedWithValue(answered.answer());
    return events.of(answering(CompletableFuture.completedFuture(false)));
  }

  private OperationExecutor answering(CompletableFuture<?> answer) {
    return new ReportingExecutor(
        new OperationExecutor() {
          @Override
          @SuppressWarnings("unchecked") // It is the answer to the operation.
          public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
            return (CompletionStage<A>) answer;
          }
        },
        reporting);
  }

  private static String text(OperationEvent event, Operation<?> operation) {
    List<String> parts = new ArrayList<>();
    parts.add(event.subject().primitive().label() + " " + RecordedEvents.text(event));
    if (event.subject().nameHash() != null) {
      assertThat(event.subject().nameHash()).isEqualTo(NAME.hash());
      parts.add("name");
    }
    assertThat(event.subject().idHash()).isEqualTo(operation.subject().idHash());
    parts.add(event.ids() + (event.ids() == 1 ? " id" : " ids"));
    return String.join(", ", parts);
  }
}
