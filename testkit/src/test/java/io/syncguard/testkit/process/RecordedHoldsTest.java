package io.syncguard.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.lock.Fence;
import io.syncguard.testkit.process.WorkerEvent.Acquired;
import io.syncguard.testkit.process.WorkerEvent.Ready;
import io.syncguard.testkit.process.WorkerEvent.Releasing;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedHoldsTest {
  private final RecordedHolds holds = new RecordedHolds("key");

  @Test
  void holdsOneAfterTheOtherAreFine() {
    holds.acquired("a", acquired(1, 10, 1000));
    holds.releasing("a", 20);
    holds.acquired("b", acquired(2, 30, 1000));
    holds.releasing("b", 40);
    assertThatCode(holds.history()::check).doesNotThrowAnyException();
    assertThat(holds.history().size()).isEqualTo(2);
  }

  @Test
  void whatAnotherTakesBeforeTheReleaseIsFoundInWhicheverOrderTheNewsArrives() {
    holds.acquired("b", acquired(2, 15, 1000));
    holds.releasing("b", 40);
    holds.acquired("a", acquired(1, 10, 1000));
    holds.releasing("a", 20);
    assertThatThrownBy(holds.history()::check).hasMessageContaining("at once");
  }

  @Test
  void theLockOfADeadHolderMustNotBeTakenBeforeItsLeaseEnds() {
    holds.acquired("a", acquired(1, 10, 1000));
    holds.ended("a");
    holds.acquired("b", acquired(2, 999, 2000));
    holds.releasing("b", 1100);
    assertThat(holds.abandoned()).isOne();
    assertThatThrownBy(holds.history()::check).hasMessageContaining("at once");
  }

  @Test
  void theLockOfADeadHolderMayBeTakenAfterItsLeaseEnds() {
    holds.acquired("a", acquired(1, 10, 1000));
    holds.ended("a");
    holds.acquired("b", acquired(2, 1001, 2000));
    holds.ended("b");
    assertThatCode(holds.history()::check).doesNotThrowAnyException();
  }

  @Test
  void aHolderThatWasHeldUpHoldsNoLongerThanItsLease() {
    holds.acquired("a", acquired(1, 10, 1000));
    holds.releasing("a", 5000);
    holds.acquired("b", acquired(2, 3000, 4000));
    holds.releasing("b", 3100);
    assertThatCode(holds.history()::check).doesNotThrowAnyException();
  }

  @Test
  void whoLearnsOfItsLockAfterTheLeaseProvesNothing() {
    holds.acquired("a", acquired(1, 5000, 1000));
    holds.releasing("a", 5100);
    assertThat(holds.stalled()).isOne();
    assertThat(holds.history().size()).isZero();
  }

  @Test
  void aLineIsReadAsItWasWritten() {
    for (WorkerEvent event : List.of(new Ready(), acquired(7, -3, 12), new Releasing(-1))) {
      assertThat(WorkerEvent.parse(event.line())).contains(event);
    }
    assertThat(WorkerEvent.parse("acquired a taste for it")).isEmpty();
    assertThat(WorkerEvent.parse("")).isEmpty();
  }

  private static Acquired acquired(long fence, long fromNanos, long leaseEndNanos) {
    return new Acquired(Fence.of(fence), fromNanos, leaseEndNanos);
  }
}
