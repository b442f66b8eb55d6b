package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.spi.AsyncSecretBackend;
import io.syncguard.spi.NewSecret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The operations on secrets. A secret is a hash: the views left, the expiry, and the payload. */
final class AsyncRedisSecrets implements AsyncSecretBackend {

  private final KeyScripts scripts;
  private final String prefix;

  AsyncRedisSecrets(KeyScripts scripts, LimitLayout layout) {
    this.scripts = scripts;
    this.prefix = layout.secrets();
  }

  @Override
  public CompletionStage<Instant> put(NewSecret secret, CancelSignal signal) {
    return scripts.run(
        Script.SECRET_PUT,
        subject(secret.id()),
        List.of(
            secret.payload(),
            Integer.toString(secret.views().count()),
            Long.toString(secret.ttl().toMillis())),
        answer -> Instant.ofEpochMilli(Long.parseLong(String.valueOf(answer))),
        signal);
  }

  @Override
  public CompletionStage<Optional<SecretView>> view(SecretId id, CancelSignal signal) {
    return scripts.run(
        Script.SECRET_VIEW, subject(id), List.of(), AsyncRedisSecrets::viewed, signal);
  }

  private static Optional<SecretView> viewed(@Nullable Object answer) {
    if (answer == null) {
      return Optional.empty();
    }
    List<?> fields = KeyScripts.list(answer);
    String left = new String((byte[]) fields.get(0), StandardCharsets.US_ASCII);
    return Optional.of(new SecretView((byte[]) fields.get(1), Integer.parseInt(left)));
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
        new SecretInfo(
            Integer.parseInt((String) fields.get(0)),
            Instant.ofEpochMilli(Long.parseLong((String) fields.get(1)))));
  }

  @Override
  public CompletionStage<Boolean> burn(SecretId id, CancelSignal signal) {
    return scripts.delete(subject(id), signal);
  }

  private KeyScripts.Subject subject(SecretId id) {
    return new KeyScripts.Subject(
        prefix + id.value(), new SyncGuardException.Context(null, id.value()));
  }
}
