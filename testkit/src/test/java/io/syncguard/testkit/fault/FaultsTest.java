package io.syncguard.testkit.fault;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Primitive;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.limit.LimitOperation;
import io.syncguard.spi.lock.LockOperation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The faults that the suites rely on happen, and to those operations only. */
class FaultsTest {

  private static final ResourceKey KEY = ResourceKey.of("k");
  private static final LimitOperation.Increment HIT =
      new LimitOperation.Increment(KEY, 9, Duration.ofMinutes(1));
  private static final LimitOperation.Current LOOK = new LimitOperation.Current(KEY);
  private static final LockOperation.IsLocked OTHER = new LockOperation.IsLocked(KEY);

  private final Store memory = StoreProvider.openStore("memory:", TimeSource.system());

  @AfterEach
  void close() {
    memory.close();
  }

  private Store with(UnaryOperator<OperationExecutor> faults) {
    return new DecoratedStore(DecoratedStore.keptOpen(memory), faults);
  }

  private long count() {
    return ask(memory, LOOK).map(CounterState::count).orElse(0L);
  }

  private static SyncGuardException assertFailsToAsk(Code code, Store store, Operation<?> asked) {
    return assertFails(code, () -> ask(store, asked));
  }

  @Test
  void aRefusedOperationIsNotCarriedOut() {
    Faults faults = new Faults();
    Store store = with(faults);
    faults.refuse(1);
    assertThat(assertFailsToAsk(Code.SERVICE_UNAVAILABLE, store, HIT).isOutcomeUnknown()).isFalse();
    assertThat(count()).isZero();
    ask(store, HIT);
    assertThat(count()).isEqualTo(1);
    assertThat(faults.operations()).isEqualTo(2);
    assertThat(faults.answers()).isEqualTo(1);
  }

  @Test
  void anOperationWhoseReplyIsLostIsCarriedOut() {
    Faults faults = new Faults();
    Store store = with(faults);
    faults.loseReplies(1);
    SyncGuardException failure = assertFailsToAsk(Code.NETWORK_TIMEOUT, store, HIT);
    assertThat(failure.isOutcomeUnknown()).isTrue();
    assertThat(failure.subject()).isEqualTo(HIT.subject());
    assertThat(count()).isEqualTo(1);
    assertThat(faults.answers()).isZero();
  }

  @Test
  void theReplyToWhatWasAskedForBeforeIsNotLost() {
    Faults faults = new Faults();
    CompletableFuture<CounterResult> answer = new CompletableFuture<>();
    Interception later =
        Interception.on(LimitOperation.Increment.class, (hit, call, next) -> answer);
    Store store = with(next -> faults.apply(later.apply(next)));
    CompletableFuture<CounterResult> asked = store.execute(HIT, Call.plain()).toCompletableFuture();
    faults.loseReplies(1);
    answer.complete(ask(memory, HIT));
    assertThat(asked).isCompleted();
    assertFailsToAsk(Code.NETWORK_TIMEOUT, store, LOOK);
  }

  @Test
  void aReplyIsLostWhenItComes() {
    Faults faults = new Faults();
    CompletableFuture<CounterResult> answer = new CompletableFuture<>();
    Interception later =
        Interception.on(LimitOperation.Increment.class, (hit, call, next) -> answer);
    Store store = with(next -> faults.apply(later.apply(next)));
    faults.loseReplies(1);
    CompletableFuture<?> asked = store.execute(HIT, Call.plain()).toCompletableFuture();
    assertThat(asked).isNotDone();
    answer.complete(ask(memory, HIT));
    assertThat(asked).isCompletedExceptionally();
  }

  @Test
  void aStoreThatThrowsOrFailsByItselfDoesSo() {
    Faults faults = new Faults();
    SyncGuardException own = new SyncGuardException(Code.INTERNAL, "the store's own");
    Interception throwing =
        Interception.on(
                LimitOperation.Increment.class,
                (hit, call, next) -> {
                  throw own;
                })
            .andOn(
                LimitOperation.Reset.class,
                (reset, call, next) -> CompletableFuture.failedFuture(own));
    Store store = with(next -> faults.apply(throwing.apply(next)));
    faults.loseReplies(2);
    assertFailsToAsk(Code.INTERNAL, store, HIT);
    assertFailsToAsk(Code.INTERNAL, store, new LimitOperation.Reset(KEY));
    assertThat(faults.answers()).isZero();
  }

  @Test
  void faultsOfAPrimitiveLeaveTheOthersAlone() {
    Faults faults = Faults.on(Primitive.COUNTER);
    Store store = with(faults);
    faults.refuse(1);
    ask(store, OTHER);
    assertFailsToAsk(Code.SERVICE_UNAVAILABLE, store, LOOK);
    assertThat(faults.operations()).isEqualTo(1);
    assertThat(faults.operations(LockOperation.IsLocked.class)).isEqualTo(1);
  }

  @Test
  void faultsOfAKindOfOperationLeaveTheOthersAlone() {
    Faults faults = Faults.on(LimitOperation.Increment.class);
    Store store = with(faults);
    faults.refuse(1);
    ask(store, LOOK);
    assertFailsToAsk(Code.SERVICE_UNAVAILABLE, store, HIT);
    assertThat(faults.operations()).isEqualTo(1);
  }

  @Test
  void aClientThatIsCutOffReachesNothingUntilItIsReconnected() {
    Faults faults = Faults.on(LimitOperation.Increment.class);
    Store store = with(faults);
    faults.cutOff();
    assertFailsToAsk(Code.SERVICE_UNAVAILABLE, store, HIT);
    assertFailsToAsk(Code.SERVICE_UNAVAILABLE, store, LOOK);
    faults.reconnect();
    ask(store, HIT);
    assertThat(count()).isEqualTo(1);
  }
}
