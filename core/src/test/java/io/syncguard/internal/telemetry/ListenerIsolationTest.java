package io.syncguard.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CapturedLog;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.telemetry.RecordedEvents;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.telemetry.TelemetryListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a listener does to itself does not reach the operations. */
@Timeout(60)
class ListenerIsolationTest {

  /** One event is with the listener, the others are in the queue. */
  private static final int CAPACITY = 1 + 8192;

  private static final LockOperation.IsLocked QUESTION =
      new LockOperation.IsLocked(ResourceKey.of("patient:4711"));

  private final Store store = StoreProvider.openStore("memory:", new HandMovedTime());
  private final AtomicInteger told = new AtomicInteger();

  @AfterEach
  void closeStore() {
    store.close();
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new IllegalStateException("planted"),
        new AssertionError("planted"),
        new StackOverflowError("planted"),
        new NoClassDefFoundError("planted"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aListenerThatThrowsFailsNothingAndIsToldOfTheNextOperation(Throwable planted) {
    try (CapturedLog log = CapturedLog.open()) {
      OperationExecutor observed =
          observe(
              event -> {
                told.incrementAndGet();
                throwUnchecked(planted);
              });

      ask(observed, 3);

      Awaitility.await().until(() -> log.text().split("listener failed", -1).length == 4);
      assertThat(told).hasValue(3);
    }
  }

  @Test
  void aPredicateThatThrowsFailsNothing() {
    RecordedEvents events = new RecordedEvents();
    OperationExecutor observed =
        observe(
            store,
            Telemetry.to(events)
                .includingRaw(
                    event -> {
                      if (told.getAndIncrement() == 0) {
                        throw new IllegalStateException("planted");
                      }
                      return true;
                    }));

    ask(observed, 2);

    Awaitility.await().until(() -> told.get() == 2);
    assertThat(events.of(observed)).isNotEmpty();
  }

  @Test
  void aListenerThatBlocksDelaysNothingAndWhatItMissesIsCounted() {
    CountDownLatch listening = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    try (CapturedLog log = CapturedLog.open()) {
      OperationExecutor observed =
          observe(
              event -> {
                listening.countDown();
                blockOn(blocked);
                told.incrementAndGet();
              });

      ask(observed, 1);
      blockOn(listening);
      ask(observed, CAPACITY - 1 + 123);
      assertThat(told).hasValue(0);
      blocked.countDown();

      Awaitility.await().until(() -> told.get() == CAPACITY);
      assertThat(log.text()).containsOnlyOnce("dropped").contains("123 events were dropped");
      ask(observed, 1);
      Awaitility.await().until(() -> told.get() == CAPACITY + 1);
      assertThat(log.text()).as("counted once").containsOnlyOnce("dropped");
    } finally {
      blocked.countDown();
    }
  }

  @Test
  void asynchronousOperationsAreNotDelayedEither() {
    CountDownLatch blocked = new CountDownLatch(1);
    try {
      CompletableFuture<Boolean> answer = new CompletableFuture<>();
      try (Store asynchronous = new AnsweringStore(new HandMovedTime(), operation -> answer)) {
        OperationExecutor observed = observe(asynchronous, Telemetry.to(event -> blockOn(blocked)));
        CompletionStage<Boolean> asked = null;
        for (int i = 0; i < CAPACITY + 1; i++) {
          asked = observed.execute(QUESTION, Call.plain());
        }
        assertThat(asked).isNotCompleted();
        answer.complete(false);
        assertThat(asked).isCompletedWithValue(false);
      }

      assertThat(blocked.getCount()).isEqualTo(1);
    } finally {
      blocked.countDown();
    }
  }

  private OperationExecutor observe(TelemetryListener listener) {
    return observe(store, Telemetry.to(listener));
  }

  private static OperationExecutor observe(Store store, Telemetry telemetry) {
    return new ReportingExecutor(store, new Events(telemetry));
  }

  private static void ask(OperationExecutor observed, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(observed.execute(QUESTION, Call.plain())).isCompletedWithValue(false);
    }
  }

  private static void throwUnchecked(Throwable planted) {
    if (planted instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) planted;
  }

  /** An interrupt means that the test has run out of time, because an operation came to block. */
  private static void blockOn(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      latch.countDown();
    }
  }
}
