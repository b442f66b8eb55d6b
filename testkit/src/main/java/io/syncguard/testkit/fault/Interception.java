package io.syncguard.testkit.fault;

import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * A decoration that carries some kinds of operations out in another way and passes on the rest.
 *
 * <pre>{@code
 * new DecoratedStore(
 *     store,
 *     Interception.on(
 *         LockOperation.Release.class,
 *         (release, call, next) ->
 *             next.execute(release, call).thenApply(result -> ReleaseResult.RELEASED)))
 * }</pre>
 */
public final class Interception implements UnaryOperator<OperationExecutor> {

  /**
   * Another way to carry an operation out.
   *
   * @param <O> which kind of operation
   * @param <A> its answer
   */
  @FunctionalInterface
  public interface Change<O extends Operation<A>, A> {

    /**
     * Carries the operation out, or begins to, as {@link OperationExecutor#execute} does.
     *
     * @param next what would carry it out without this
     */
    CompletionStage<A> execute(O operation, Call call, OperationExecutor next);
  }

  private final Map<Class<?>, Change<?, ?>> changes;

  private Interception(Map<Class<?>, Change<?, ?>> changes) {
    this.changes = changes;
  }

  /** Returns a decoration that changes this kind of operation. */
  public static <A, O extends Operation<A>> Interception on(Class<O> kind, Change<O, A> change) {
    return new Interception(Map.of(kind, change));
  }

  /** Returns a decoration that changes this kind of operation as well. */
  public <A, O extends Operation<A>> Interception andOn(Class<O> kind, Change<O, A> change) {
    Map<Class<?>, Change<?, ?>> more = new HashMap<>(changes);
    more.put(kind, change);
    return new Interception(more);
  }

  @Override
  public OperationExecutor apply(OperationExecutor next) {
    return new Intercepted(changes, next);
  }

  private record Intercepted(Map<Class<?>, Change<?, ?>> changes, OperationExecutor next)
      implements OperationExecutor {

    @Override
    public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
      @SuppressWarnings("unchecked") // Each is under the class that it is for.
      Change<Operation<A>, A> change = (Change<Operation<A>, A>) changes.get(operation.getClass());
      return change == null ? next.execute(operation, call) : change.execute(operation, call, next);
    }
  }
}
