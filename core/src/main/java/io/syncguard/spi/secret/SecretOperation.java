package io.syncguard.spi.secret;

import io.syncguard.Subject;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.Outcome;
import io.syncguard.spi.Store;
import io.syncguard.telemetry.Reason;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What can be asked of a store's secrets; {@link SecretBackend} says what each means.
 *
 * @param <A> the answer
 */
public sealed interface SecretOperation<A> extends Operation<A> {

  /** Returns which secret it is about. */
  SecretId id();

  @Override
  default Subject subject() {
    return Subject.ofSecret(id().value());
  }

  /** Stores a secret. */
  record Put(NewSecret secret) implements SecretOperation<Optional<Instant>> {

    @Override
    public String label() {
      return "put";
    }

    @Override
    public SecretId id() {
      return secret.id();
    }

    @Override
    public CompletionStage<Optional<Instant>> on(Store store, Call call) {
      return store.secrets().put(this, call);
    }

    @Override
    public Outcome outcome(Optional<Instant> answer) {
      return Outcome.of(answer.isPresent(), Reason.EXISTS);
    }
  }

  /**
   * Counts a view and reveals the payload.
   *
   * @param presented what must equal the {@link NewSecret#proofHash} that the secret was put with
   */
  record View(SecretId id, ProofHash presented) implements SecretOperation<ViewAttempt> {

    @Override
    public String label() {
      return "view";
    }

    @Override
    public CompletionStage<ViewAttempt> on(Store store, Call call) {
      return store.secrets().view(this, call);
    }

    @Override
    public Outcome outcome(ViewAttempt answer) {
      return answer instanceof ViewAttempt.WrongProof
          ? Outcome.not(Reason.WRONG_KEY)
          : Outcome.of(answer instanceof ViewAttempt.Revealed, Reason.NOT_FOUND);
    }
  }

  /** Looks at a secret without revealing it. */
  record Peek(SecretId id) implements SecretOperation<Optional<SecretInfo>> {

    @Override
    public String label() {
      return "peek";
    }

    @Override
    public CompletionStage<Optional<SecretInfo>> on(Store store, Call call) {
      return store.secrets().peek(this, call);
    }

    @Override
    public Outcome outcome(Optional<SecretInfo> answer) {
      return Outcome.of(answer.isPresent(), Reason.NOT_FOUND);
    }
  }

  /** Destroys a secret. */
  record Burn(SecretId id) implements SecretOperation<Boolean> {

    @Override
    public String label() {
      return "burn";
    }

    @Override
    public CompletionStage<Boolean> on(Store store, Call call) {
      return store.secrets().burn(this, call);
    }

    @Override
    public Outcome outcome(Boolean answer) {
      return Outcome.of(answer, Reason.NOT_FOUND);
    }
  }
}
