package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.spi.AsyncSecretBackend;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.ViewAttempt;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The operations on secrets. A secret is a hash: the views left, the expiry, what a view must
 * present, and the payload.
 */
final class AsyncRedisSecrets implements AsyncSecretBackend {

  private final KeyScripts scripts;
  private final String prefix;

  AsyncRedisSecrets(KeyScripts scripts, LimitLayout layout) {
    this.scripts = scripts;
    this.prefix = layout.secrets();
  }

  @Override
  public CompletionStage<Optional<Instant>> put(NewSecret secret, CancelSignal signal) {
    return scripts.run(
        Script.SECRET_PUT,
        subject(secret.id()),
        List.of(
            secret.payload(),
            Integer.toString(secret.views().count()),
            Long.toString(secret.ttl().toMillis()),
            secret.proofHash().value()),
        answer -> Optional.ofNullable(answer).map(AsyncRedisSecrets::expiry),
        signal);
  }

  private static Instant expiry(Object text) {
    return Instant.ofEpochMilli(Long.parseLong(String.valueOf(text)));
  }

  @Override
  public CompletionStage<ViewAttempt> view(SecretId id, ProofHash presented, CancelSignal signal) {
    return scripts.run(
        Script.SECRET_VIEW,
        subject(id),
        List.of(presented.value()),
        AsyncRedisSecrets::viewed,
        signal);
  }

  private static ViewAttempt viewed(@Nullable Object answer) {
    if (answer == null) {
      return new ViewAttempt.NotFound();
    }
    List<?> fields = KeyScripts.list(answer);
    if (fields.size() == 1) {
      return new ViewAttempt.WrongProof();
    }
    String left = new String((byte[]) fields.get(0), StandardCharsets.US_ASCII);
    return new ViewAttempt.Revealed(new SecretView((byte[]) fields.get(1), Integer.parseInt(left)));
  }

  @Override
  public CompletionStage<Optional<SecretInfo>> peek(SecretId id, CancelSignal signal) {
    return scripts.run(
        Script.SECRET_PEEK, subject(id), List.of(), AsyncRedisSecrets::peeked, signal);
  }

  private static Optional<SecretInfo> peeked(@Nullable Object answer) {
    if (answer == null) {
      return Optional.empty();
    }
    List<?> fields = KeyScripts.list(answer);
    return Optional.of(
        new SecretInfo(Integer.parseInt((String) fields.get(0)), expiry(fields.get(1))));
  }

  @Override
  public CompletionStage<Boolean> burn(SecretId id, CancelSignal signal) {
    return scripts.delete(subject(id), signal);
  }

  private KeyScripts.Subject subject(SecretId id) {
    return new KeyScripts.Subject(
        prefix + id.value(), SyncGuardException.Context.ofBearer(null, id.value()));
  }
}
