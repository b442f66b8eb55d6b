package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.Primitive;
import io.syncguard.Subject;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.Operation;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Every lock and every permit is reported once when it is held no more, with how that came. */
@ParameterizedClass
@CsvSource({"LOCK, false", "LOCK, true", "SEMAPHORE, false", "SEMAPHORE, true"})
class HoldsAreReportedTest {

  private static final String NAME = "patient:4711";
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Parameter(0)
  Primitive primitive;

  @Parameter(1)
  boolean asynchronous;

  private final HandMovedTime time = new HandMovedTime();
  private final RecordedEvents events = new RecordedEvents();
  private Function<Operation<?>, CompletionStage<?>> answers = operation -> null;
  private final AnsweringStore store =
      new AnsweringStore(time, operation -> answers.apply(operation));
  private final GuardOptions options =
      GuardOptions.defaults().withTimeSource(time).withTelemetry(Telemetry.to(events));
  private final SyncGuard guard = SyncGuard.over(store, options);

  @AfterEach
  void closeGuard() {
    answers = operation -> null;
    guard.close();
  }

  @Test
  void aReleaseEndsIt() throws Exception {
    AutoCloseable held = hold();
    time.move(SECOND);
    release(held);

    assertReported("released after PT1S");
  }

  @Test
  void aCloseEndsIt() throws Exception {
    hold().close();

    assertReported("released after PT0S");
  }

  @Test
  void itEndsOnce() throws Exception {
    AutoCloseable held = hold();
    release(held);
    release(held);
    held.close();
    time.move(TTL);

    assertReported("released after PT0S");
  }

  @Test
  void itIsLostWhenItsTimeIsOver() throws Exception {
    AutoCloseable held = hold();
    listenForLoss(held);
    time.move(TTL);
    assertReported("lost after PT29.5S");

    release(held);
    held.close();
    assertReported();
  }

  @Test
  void itIsLostIfItsTimeWasOverBeforeItsRelease() throws Exception {
    AutoCloseable held = hold();
    time.move(TTL);
    release(held);

    assertThat(reported()).extracting(HoldEvent::end).containsExactly(HoldEvent.End.LOST);
  }

  @Test
  void itIsLostWhenTheStoreSaysSo() throws Exception {
    AutoCloseable held = hold();
    time.move(SECOND);
    sayThatItIsGone(held);
    assertThat(reported())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.end()).isEqualTo(HoldEvent.End.LOST);
              assertThat(event.elapsed()).isBetween(SECOND, Duration.ofSeconds(11));
            });

    release(held);
    held.close();
    assertReported();
  }

  @Test
  void itIsLostIfTheStoreHasNothingToRelease() throws Exception {
    AutoCloseable held = hold();
    findNothingToRelease();
    release(held);

    assertReported("lost after PT0S");
  }

  @Test
  void itIsInDoubtWhileTheStoreCannotBeAskedToReleaseIt() throws Exception {
    AutoCloseable held = hold();
    loseReleases();
    Failure.of(Code.NETWORK_TIMEOUT, () -> release(held));
    assertThat(reported()).extracting(HoldEvent::end).containsExactly(HoldEvent.End.IN_DOUBT);

    answers = operation -> null;
    time.move(Duration.ofMinutes(1));
    release(held);
    held.close();
    assertReported();
  }

  @Test
  void itIsInDoubtIfTheStoreRefusesToReleaseIt() throws Exception {
    AutoCloseable held = hold();
    answerReleases(
        CompletableFuture.failedFuture(new SyncGuardException(Code.AUTH_FAILED, "planted")));
    held.close();

    assertReported("in-doubt after PT0S");
  }

  @Test
  void aReleaseWhoseFirstAnswerWasLostEndsIt() throws Exception {
    AutoCloseable held = hold();
    loseReleases();
    time.schedule(this::findNothingToRelease, SECOND);
    release(held);

    assertThat(reported()).extracting(HoldEvent::end).containsExactly(HoldEvent.End.RELEASED);
  }

  @Test
  void aClosedGuardTakesItFromItsHolder() throws Exception {
    AutoCloseable held = hold();
    guard.close();
    held.close();

    assertReported("lost after PT5S");
  }

  @Test
  void aClosedGuardThatKeepsWhatIsHeldEndsNothing() {
    SyncGuard keeping = SyncGuard.over(store, options.withKeepOnClose());
    AutoCloseable held = hold(keeping);
    assertThat(held).isNotNull();
    keeping.close();

    assertThat(events.of(keeping, HoldEvent.class)).isEmpty();
  }

  @Test
  void itIsReportedByTheHashesOfItsNameAndItsId() throws Exception {
    AutoCloseable held = hold();
    release(held);

    List<Event> all = events.of(guard, Event.class);
    EventSubject ofHold = all.get(all.size() - 1).subject();
    assertThat(all.get(all.size() - 1)).isInstanceOf(HoldEvent.class);
    assertThat(ofHold.primitive()).isEqualTo(primitive);
    assertThat(ofHold.nameHash()).isEqualTo(KeyHash.of(NAME));
    assertThat(ofHold.idHash()).isNotNull().isEqualTo(all.get(0).subject().idHash());
    assertThat(ofHold.name()).isNull();
    assertThat(ofHold.id()).isNull();
  }

  private AutoCloseable hold() {
    return hold(guard);
  }

  private AutoCloseable hold(SyncGuard by) {
    SemaphoreOptions semaphore =
        SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(10)).withTtl(TTL);
    return primitive == Primitive.LOCK
        ? by.locks().tryLock(NAME, TTL)
        : by.semaphore(NAME, 1, semaphore).acquire();
  }

  private static void listenForLoss(AutoCloseable held) {
    Runnable listener = () -> {};
    if (held instanceof LockHandle lock) {
      lock.onLost(listener);
    } else {
      ((Permit) held).onLost(listener);
    }
  }

  /** Asynchronously, the time is moved on until the release is over. */
  private void release(AutoCloseable held) {
    if (!asynchronous) {
      if (held instanceof LockHandle lock) {
        lock.release();
      } else {
        ((Permit) held).release();
      }
      return;
    }
    CompletionStage<?> releasing =
        held instanceof LockHandle lock ? lock.releaseAsync() : ((Permit) held).releaseAsync();
    if (!releasing.toCompletableFuture().isDone()) {
      time.move(Duration.ofSeconds(5));
    }
    join(releasing);
  }

  /** A lock's holder learns of it when it extends, a permit's by the next heartbeat. */
  private void sayThatItIsGone(AutoCloseable held) {
    if (held instanceof LockHandle lock) {
      assertThat(guard.locks().release(lock.lockId())).isEqualTo(ReleaseResult.RELEASED);
      assertThat(asynchronous ? join(lock.extendAsync(TTL)) : lock.extend(TTL))
          .isEqualTo(NotExtended.NOT_FOUND);
    } else {
      answers =
          operation ->
              operation instanceof SemaphoreOperation.Ping ping
                  ? CompletableFuture.completedFuture(
                      Collections.nCopies(ping.ids(), PermitState.GONE))
                  : null;
      time.move(Duration.ofSeconds(10));
    }
  }

  private void loseReleases() {
    answerReleases(
        CompletableFuture.failedFuture(
            SyncGuardException.withUnknownOutcome(
                Code.NETWORK_TIMEOUT, "planted", Subject.NONE, null)));
  }

  private void findNothingToRelease() {
    answerReleases(
        CompletableFuture.completedFuture(
            primitive == Primitive.LOCK ? ReleaseResult.NOT_FOUND : PermitReleaseResult.NOT_FOUND));
  }

  private void answerReleases(CompletionStage<?> answer) {
    answers =
        operation ->
            operation instanceof LockOperation.Release
                    || operation instanceof SemaphoreOperation.Release
                ? answer
                : null;
  }

  private void assertReported(String... expected) {
    assertThat(reported())
        .extracting(event -> event.end().label() + " after " + event.elapsed())
        .containsExactly(expected);
  }

  private List<HoldEvent> reported() {
    return events.of(guard, HoldEvent.class);
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (SyncGuardException) e.getCause();
    }
  }
}
