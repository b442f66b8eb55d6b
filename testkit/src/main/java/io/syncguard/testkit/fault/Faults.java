package io.syncguard.testkit.fault;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Operations that a store is told to refuse, or whose replies it is told to lose. */
public final class Faults {

  private final AtomicInteger repliesToLose = new AtomicInteger();
  private final AtomicInteger operationsToRefuse = new AtomicInteger();
  private final AtomicInteger operations = new AtomicInteger();
  private final AtomicInteger answers = new AtomicInteger();

  Faults() {}

  /** Has the next operations carried out and then fail with NETWORK_TIMEOUT. */
  public void loseReplies(int count) {
    repliesToLose.set(count);
  }

  /** Has the next operations fail with SERVICE_UNAVAILABLE and change nothing. */
  public void refuse(int count) {
    operationsToRefuse.set(count);
  }

  /** Returns how many operations were asked for. */
  public int operations() {
    return operations.get();
  }

  /** Returns how many operations were answered. */
  public int answers() {
    return answers.get();
  }

  <T> T during(Supplier<T> operation) {
    operations.incrementAndGet();
    if (takeOne(operationsToRefuse)) {
      throw new SyncGuardException(Code.SERVICE_UNAVAILABLE, "Refused by the test");
    }
    T result = operation.get();
    if (takeOne(repliesToLose)) {
      throw SyncGuardException.withUnknownOutcome(
          Code.NETWORK_TIMEOUT, "Reply lost by the test", SyncGuardException.Context.NONE, null);
    }
    answers.incrementAndGet();
    return result;
  }

  private static boolean takeOne(AtomicInteger remaining) {
    return remaining.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }
}
