package io.syncguard.spi;

import io.syncguard.Subject;
import java.util.concurrent.CompletionStage;

/**
 * What is asked of a store, as a value: which operation of which primitive, on what, and what its
 * answers mean. Each is one atomic attempt; nothing in the store repeats it.
 *
 * <p>An operation is carried out by {@link OperationExecutor#execute}. Whatever concerns all
 * operations is an executor around another; it knows operations by these methods alone.
 *
 * @param <A> the answer
 */
public interface Operation<A> {

  /** Returns the operation's name for events, metrics and logs. */
  String label();

  /** Returns what it is about. */
  Subject subject();

  /** Puts the operation to the store's backend that knows it; see {@link Store#execute}. */
  CompletionStage<A> on(Store store, Call call);

  /** Returns whether an answer means that what was asked was done, and if not, why. */
  Outcome outcome(A answer);

  /** Returns how many ids it is about. */
  default int ids() {
    return subject().id() == null ? 0 : 1;
  }
}
