package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An operation that throws is reported, and throws what it would throw without telemetry. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class FailuresAreReportedTest {

  private static final ResourceKey KEY = ResourceKey.of("patient:4711");
  private static final LockId LOCK_ID = LockId.random();
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final CancelSignal NEVER = CancelSignal.never();
  private static final LockReference LOCK = new LockReference(LOCK_ID, KEY);

  @Parameter boolean asynchronous;

  private final RecordedEvents events = new RecordedEvents();

  @Test
  void everyOperationThatThrowsIsReportedOnce() {
    SyncGuardException planted = new SyncGuardException(Code.AUTH_FAILED, "planted");
    LockBackend failing = observe(new FailingLockBackend(planted));
    List<ThrowingCallable> operations =
        List.of(
            () -> failing.acquire(new AcquireRequest(KEY, LOCK_ID, TTL, false), NEVER),
            () -> failing.release(LOCK, TTL),
            () -> failing.extend(LOCK, TTL, NEVER),
            () -> failing.isLocked(KEY, NEVER),
            () -> failing.lookup(KEY, NEVER),
            () -> failing.lookup(LOCK_ID, NEVER));

    assertThat(operations).allSatisfy(call -> assertThat(catchThrowable(call)).isSameAs(planted));

    List<LockEvent> reported = Stream.generate(events::take).limit(operations.size()).toList();
    assertThat(reported)
        .extracting(event -> event.type().label())
        .containsExactly("acquire", "release", "extend", "isLocked", "lookup", "lookup");
    assertThat(reported)
        .allSatisfy(
            event -> {
              assertThat(event.result().label()).isEqualTo("fail");
              assertThat(event.reason()).isNull();
              assertThat(event.errorCode()).isEqualTo(Code.AUTH_FAILED);
            });
  }

  @ParameterizedTest
  @EnumSource
  void theCodeOfTheFailureIsReported(Code code) {
    SyncGuardException planted = new SyncGuardException(code, "planted");

    assertThat(reportOf(new FailingLockBackend(planted), planted).errorCode()).isEqualTo(code);
  }

  static Stream<Throwable> unexpected() {
    return Stream.of(new IllegalStateException("planted"), new AssertionError("planted"));
  }

  @ParameterizedTest
  @MethodSource("unexpected")
  void whatNoStoreShouldThrowIsReportedAsInternal(Throwable planted) {
    LockBackend failing =
        planted instanceof Error error
            ? new FailingLockBackend(error)
            : new FailingLockBackend((RuntimeException) planted);

    assertThat(reportOf(failing, planted).errorCode()).isEqualTo(Code.INTERNAL);
  }

  private LockEvent reportOf(LockBackend failing, Throwable planted) {
    LockBackend observed = observe(failing);
    assertThat(catchThrowable(() -> observed.isLocked(KEY, NEVER))).isSameAs(planted);
    return events.take();
  }

  private LockBackend observe(LockBackend backend) {
    LockBackend observed = Telemetry.to(events).observe(backend);
    return asynchronous ? new JoinedLockBackend(observed) : observed;
  }
}
