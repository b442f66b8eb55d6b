package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.Contended;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * A lock is alive until 1000 ms after its expiry, no less and no more, in every operation.
 *
 * <p>The store is asked again and again around that moment, each time between two looks at its own
 * clock, and its answers are held against what the clock said. However slow the machine is, a right
 * answer is never refused; a wrong tolerance is found out once an answer falls between it and 1000
 * ms.
 */
public interface ToleranceSuite extends LockSuite {

  /** Said here and not taken from the library, so that a change of it is noticed. */
  Duration TOLERANCE = Duration.ofSeconds(1);

  /** So long before the end of the tolerance the asking begins, and so long after it it goes on. */
  Duration MARGIN = Duration.ofMillis(40);

  /** How much time passes between two questions, where it is not the machine that takes longer. */
  Duration STEP = Duration.ofMillis(2);

  /** A question whether a lock is alive; to be asked once if the asking itself ends its life. */
  record Question(LockHandle lock, Predicate<LockHandle> isAlive, boolean isAskedOnce) {

    /** Returns when the lock must be dead, and not a millisecond sooner. */
    Instant end() {
      return lock.expiresAt().plus(TOLERANCE);
    }
  }

  @Test
  default void theToleranceIsASecondInEveryOperation() throws InterruptedException {
    LockId clock = take(locks(), newKey(), LONG).lockId();
    List<Question> open = new ArrayList<>();
    for (Duration at = MARGIN; !at.isNegative(); at = at.minus(STEP)) {
      ask(open, lock -> otherLocks().extend(lock.lockId(), LONG).isExtended(), true);
      ask(open, lock -> otherLocks().release(lock.lockId()).isReleased(), true);
    }
    ask(open, lock -> otherLocks().tryLock(lock.key(), LONG) instanceof Contended, false);
    ask(open, lock -> otherLocks().isLocked(lock.key()), false);
    ask(open, lock -> otherLocks().getByKey(lock.key()).isPresent(), false);
    ask(open, lock -> otherLocks().owns(lock.lockId()), false);
    fixture().passTime(SHORT.plus(TOLERANCE).minus(MARGIN));

    while (!open.isEmpty()) {
      askAll(clock, open);
      fixture().passTime(STEP);
    }
    locks().release(clock);
  }

  /** What a waiter is told to sleep for ends with the tolerance, to the millisecond. */
  @Test
  default void theTimeThatAHolderHasLeftIncludesTheTolerance() {
    LockId clock = take(locks(), newKey(), LONG).lockId();
    LockHandle held = take(locks(), newKey(), LONG);
    Instant end = held.expiresAt().plus(TOLERANCE);
    for (int i = 0; i < 10; i++) {
      Instant before = now(clock);
      Duration remaining = ((Contended) otherLocks().tryLock(held.key())).remaining();
      assertThat(remaining)
          .isBetween(Duration.between(now(clock), end), Duration.between(before, end));
    }
    locks().release(clock);
    held.close();
  }

  private void ask(List<Question> open, Predicate<LockHandle> isAlive, boolean isAskedOnce) {
    open.add(new Question(take(locks(), newKey(), SHORT), isAlive, isAskedOnce));
  }

  /** Asks what is due, and of those that can be asked but once two at the most. */
  private void askAll(LockId clock, List<Question> open) {
    Instant before = now(clock);
    List<Question> alive = new ArrayList<>();
    List<Question> dead = new ArrayList<>();
    int askedOnce = 0;
    for (Iterator<Question> questions = open.iterator(); questions.hasNext(); ) {
      Question question = questions.next();
      if (!question.isAskedOnce() || askedOnce++ < 2) {
        boolean yes = question.isAlive().test(question.lock());
        (yes ? alive : dead).add(question);
        if (!yes || question.isAskedOnce()) {
          questions.remove();
        }
      }
    }
    Instant after = now(clock);
    assertThat(alive).as("alive at %s", before).allMatch(asked -> before.isBefore(asked.end()));
    assertThat(dead).as("dead at %s", after).noneMatch(asked -> after.isBefore(asked.end()));
  }

  /** An extension's answer has the store's time in it. */
  private Instant now(LockId clock) {
    return ((Extended) locks().extend(clock, LONG)).expiresAt().minus(LONG);
  }
}
