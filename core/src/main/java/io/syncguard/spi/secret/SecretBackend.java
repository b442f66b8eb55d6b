package io.syncguard.spi.secret;

import io.syncguard.secret.SecretInfo;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The secrets of one store. Each operation is a single, atomic attempt that nothing repeats.
 * Thread-safe.
 *
 * <p>A secret is there from {@link #put} until its last view, until it is burned, or until its ttl
 * is over on the store's clock, to the millisecond and whatever the views; nothing of its payload
 * is left in the store then, or only what the store removes by itself. What is stored under an id
 * and is not a number of views from 1 to {@link io.syncguard.secret.Views#MOST} with a payload is
 * refused with INTERNAL and reveals nothing.
 *
 * <p>How operations block and fail is the same for every primitive: {@link OperationExecutor}.
 */
public interface SecretBackend {

  /**
   * Stores a secret if there is none under its id; returns when it expires, by the store's clock,
   * or nothing if there is one, which then stays as it is. Of any number of puts under the same id
   * at the same time one succeeds.
   */
  CompletionStage<Optional<Instant>> put(SecretOperation.Put put, Call call);

  /**
   * Counts a view and reveals the payload, byte for byte, and with the last view removes it. Of any
   * number of views at the same time, as many succeed as are left. Changes the count only: neither
   * the payload nor the expiry is written again. If what is {@linkplain
   * SecretOperation.View#presented presented} is not what the secret was put with, nothing is
   * counted or revealed, in the same atomic step.
   */
  CompletionStage<ViewAttempt> view(SecretOperation.View view, Call call);

  /** Tells of a secret without revealing it. Changes nothing. */
  CompletionStage<Optional<SecretInfo>> peek(SecretOperation.Peek question, Call call);

  /** Removes a secret; returns whether there was one. */
  CompletionStage<Boolean> burn(SecretOperation.Burn burn, Call call);
}
