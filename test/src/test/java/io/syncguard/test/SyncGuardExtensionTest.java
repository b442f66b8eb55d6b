package io.syncguard.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs the small tests within, as JUnit does. */
class SyncGuardExtensionTest {

  private static final Duration TTL = Duration.ofSeconds(30);

  /** Returns what the only test of the class has failed with. */
  private static Optional<Throwable> failureOf(Class<?> test) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(test))
        .execute()
        .testEvents()
        .finished()
        .stream()
        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
        .findFirst()
        .orElseThrow()
        .getThrowable();
  }

  @ExtendWith(SyncGuardExtension.class)
  static class Given {

    private SyncGuard before;

    @BeforeEach
    void take(SyncGuard guard) {
      before = guard;
    }

    @Test
    void theGuardOfATestIsItsOwn(SyncGuard guard, MovableTime time) {
      assertThat(guard).isSameAs(before);
      guard.locks().tryLock("k", TTL);
      assertThat(guard.locks().isLocked("k")).isTrue();
      time.advance(TTL.plusSeconds(1));
      assertThat(guard.locks().isLocked("k")).isFalse();
    }
  }

  @Test
  void aTestHasAGuardAndTheTimeItRunsOn() {
    assertThat(failureOf(Given.class)).isEmpty();
  }

  @ExtendWith(SyncGuardExtension.class)
  static class Closing {
    @Test
    void closes(SyncGuard guard) {
      guard.close();
    }
  }

  @Test
  void aTestMayCloseItsGuardAsTheApplicationDoes() {
    assertThat(failureOf(Closing.class)).isEmpty();
  }

  @ExtendWith(SyncGuardExtension.class)
  static class Forgetful {
    @Test
    void takes(SyncGuard guard) {
      guard.locks().tryLock("report:daily", TTL);
      guard.semaphore("partner", 3).acquire(TTL);
    }
  }

  @Test
  void aTestThatLeavesSomethingHeldFailsAndSaysWhat() {
    assertThat(failureOf(Forgetful.class))
        .get()
        .isInstanceOf(AssertionError.class)
        .extracting(Throwable::getMessage)
        .asString()
        .contains("the lock 'report:daily', 1 permits of 'partner'", "allowingLeftovers");
  }

  static class Lenient {
    @RegisterExtension
    static final SyncGuardExtension SYNCGUARD =
        SyncGuardExtension.withFlowingTime().allowingLeftovers();

    @Test
    void takes(SyncGuard guard) {
      guard.locks().tryLock("report:daily", TTL);
    }
  }

  @Test
  void whatIsLeftHeldMayBeAllowed() {
    assertThat(failureOf(Lenient.class)).isEmpty();
  }

  @ExtendWith(SyncGuardExtension.class)
  static class Failing {
    @Test
    void fails(SyncGuard guard) {
      guard.locks().tryLock("report:daily", TTL);
      throw new IllegalStateException("its own failure");
    }
  }

  @Test
  void aTestsOwnFailureIsTold() {
    assertThat(failureOf(Failing.class)).get().isInstanceOf(IllegalStateException.class);
  }

  static class Frozen {
    @RegisterExtension
    static final SyncGuardExtension SYNCGUARD = SyncGuardExtension.withFrozenTime();

    @Test
    void waits(SyncGuard guard, MovableTime time) {
      guard.locks().tryLock("k", TTL);
      LockOptions patient = LockOptions.defaults().withMaxWait(Duration.ofMinutes(5));
      guard.locks().lock("k", patient).release();
      assertThat(time.naps()).isNotEmpty();
    }
  }

  @Test
  void frozenTimePassesAtOnceForWhoeverWaits() {
    assertThat(failureOf(Frozen.class)).isEmpty();
  }

  @ExtendWith(SyncGuardExtension.class)
  static class Escaping {
    static final AtomicReference<SyncGuard> ESCAPED = new AtomicReference<>();

    @Test
    void gives(SyncGuard guard) {
      ESCAPED.set(guard);
    }
  }

  @Test
  void theGuardIsClosedAfterTheTest() {
    assertThat(failureOf(Escaping.class)).isEmpty();
    SyncGuard escaped = Escaping.ESCAPED.get();
    assertThat(catchThrowable(() -> escaped.locks().isLocked("k")))
        .isInstanceOf(SyncGuardException.class);
  }

  @ExtendWith(SyncGuardExtension.class)
  static class InConstructor {
    InConstructor(SyncGuard guard) {
      assertThat(guard).isNotNull();
    }

    @Test
    void isNeverReached() {}
  }

  @Test
  void aConstructorGetsNone() {
    assertThat(failureOf(InConstructor.class))
        .get()
        .extracting(Throwable::getMessage)
        .asString()
        .contains("No ParameterResolver");
  }
}
