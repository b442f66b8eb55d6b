package io.syncguard.spi;

import java.util.concurrent.CompletionStage;

/**
 * The one way by which operations reach a store: whatever is to happen with every operation of
 * every primitive is an executor around another. Thread-safe.
 */
public interface OperationExecutor {

  /**
   * Carries the operation out, or begins to.
   *
   * <p>A failure completes the stage with a {@link io.syncguard.SyncGuardException}, or is thrown
   * at once. It is {@code ABORTED} if the call is called off, and says {@link
   * io.syncguard.SyncGuardException#isOutcomeUnknown} where the store may have carried out what was
   * asked. A store {@linkplain Store#workers with workers} may block, and then returns a stage that
   * is complete; any other returns at once, and its stage completes in the end, whatever happens.
   */
  <A> CompletionStage<A> execute(Operation<A> operation, Call call);
}
