package io.syncguard.testkit.fault;

import io.syncguard.Primitive;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A decoration that has operations fail on request: it refuses some, loses the replies to others,
 * or cuts its client off. It counts what is asked for and what is answered. Thread-safe.
 */
public final class Faults implements UnaryOperator<OperationExecutor> {

  private final Predicate<Operation<?>> affected;
  private final AtomicInteger repliesToLose = new AtomicInteger();
  private final AtomicInteger operationsToRefuse = new AtomicInteger();
  private final AtomicInteger answers = new AtomicInteger();
  private final Collection<Operation<?>> asked = new ConcurrentLinkedQueue<>();
  private volatile boolean cutOff;

  /** Affects every operation. */
  public Faults() {
    this(operation -> true);
  }

  private Faults(Predicate<Operation<?>> affected) {
    this.affected = affected;
  }

  /** Affects the operations on these primitives; the others are carried out and not counted. */
  public static Faults on(Primitive... primitives) {
    Set<Primitive> all = EnumSet.copyOf(List.of(primitives));
    return new Faults(operation -> all.contains(operation.subject().primitive()));
  }

  /** Affects operations of these kinds; the others are carried out and not counted. */
  public static Faults on(Class<?>... kinds) {
    Set<Class<?>> all = Set.of(kinds);
    return new Faults(operation -> all.contains(operation.getClass()));
  }

  /**
   * Has the next operations carried out and then fail with NETWORK_TIMEOUT, in doubt. An operation
   * that was asked for before keeps its reply.
   */
  public void loseReplies(int count) {
    repliesToLose.set(count);
  }

  /** Has the next operations fail with SERVICE_UNAVAILABLE and change nothing. */
  public void refuse(int count) {
    operationsToRefuse.set(count);
  }

  /**
   * Has all operations of the client, whatever this affects, fail with SERVICE_UNAVAILABLE until it
   * is reconnected, as if its process were paused or dead.
   */
  public void cutOff() {
    cutOff = true;
  }

  /** Ends {@link #cutOff}. */
  public void reconnect() {
    cutOff = false;
  }

  /** Returns how many of the affected operations were asked for, refused ones included. */
  public int operations() {
    return (int) asked.stream().filter(affected).count();
  }

  /** Returns how many operations of this kind were asked for, whether this affects them or not. */
  public int operations(Class<? extends Operation<?>> kind) {
    return (int) asked.stream().filter(kind::isInstance).count();
  }

  /** Returns how many of the affected operations were answered. */
  public int answers() {
    return answers.get();
  }

  @Override
  public OperationExecutor apply(OperationExecutor next) {
    return new Faulty(next);
  }

  private final class Faulty implements OperationExecutor {

    private final OperationExecutor next;

    Faulty(OperationExecutor next) {
      this.next = next;
    }

    @Override
    public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
      asked.add(operation);
      boolean isAffected = affected.test(operation);
      if (cutOff || (isAffected && takeOne(operationsToRefuse))) {
        return CompletableFuture.failedFuture(
            new SyncGuardException(
                Code.SERVICE_UNAVAILABLE, "Refused by the test", operation.subject(), null));
      }
      boolean isToBeLost = isAffected && takeOne(repliesToLose);
      CompletionStage<A> answer = next.execute(operation, call);
      return isAffected ? answer.thenCompose(value -> reply(operation, value, isToBeLost)) : answer;
    }

    private <A> CompletionStage<A> reply(Operation<A> operation, A answer, boolean isToBeLost) {
      if (isToBeLost) {
        return CompletableFuture.failedFuture(
            SyncGuardException.withUnknownOutcome(
                Code.NETWORK_TIMEOUT, "Reply lost by the test", operation.subject(), null));
      }
      answers.incrementAndGet();
      return CompletableFuture.completedFuture(answer);
    }
  }

  private static boolean takeOne(AtomicInteger remaining) {
    return remaining.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }
}
