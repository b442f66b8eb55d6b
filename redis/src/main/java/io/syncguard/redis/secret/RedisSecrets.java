package io.syncguard.redis.secret;

import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptAnswer;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.spi.Call;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.SecretBackend;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.spi.secret.ViewAttempt;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operations on secrets. A secret is a hash: the views left, the expiry, what a view must
 * present, and the payload. Its key is below {@code prefix:id:}, where no user's lock can be, and
 * where a lock's index key has no colon.
 */
public final class RedisSecrets implements SecretBackend {

  private final ScriptRunner runner;
  private final String prefix;

  /** Asks nothing yet. */
  public RedisSecrets(ScriptRunner runner, String keyPrefix) {
    this.runner = runner;
    this.prefix = keyPrefix + ":id:secret:";
  }

  @Override
  public CompletionStage<Optional<Instant>> put(SecretOperation.Put put, Call call) {
    NewSecret secret = put.secret();
    List<?> arguments =
        List.of(
            secret.payload(),
            Integer.toString(secret.views().count()),
            Long.toString(secret.ttl().toMillis()),
            secret.proofHash().value());
    return run(
        RedisScript.SECRET_PUT,
        put,
        arguments,
        answer -> Optional.ofNullable(answer).map(RedisSecrets::expiry),
        call);
  }

  private static Instant expiry(Object text) {
    return Instant.ofEpochMilli(Long.parseLong(String.valueOf(text)));
  }

  @Override
  public CompletionStage<ViewAttempt> view(SecretOperation.View view, Call call) {
    return run(
        RedisScript.SECRET_VIEW,
        view,
        List.of(view.presented().value()),
        RedisSecrets::viewed,
        call);
  }

  private static ViewAttempt viewed(@Nullable Object answer) {
    if (answer == null) {
      return new ViewAttempt.NotFound();
    }
    List<?> fields = ScriptAnswer.list(answer);
    if (fields.size() == 1) {
      return new ViewAttempt.WrongProof();
    }
    String left = new String((byte[]) fields.get(0), StandardCharsets.US_ASCII);
    return new ViewAttempt.Revealed(new SecretView((byte[]) fields.get(1), Integer.parseInt(left)));
  }

  @Override
  public CompletionStage<Optional<SecretInfo>> peek(SecretOperation.Peek question, Call call) {
    return run(RedisScript.SECRET_PEEK, question, List.of(), RedisSecrets::peeked, call);
  }

  private static Optional<SecretInfo> peeked(@Nullable Object answer) {
    if (answer == null) {
      return Optional.empty();
    }
    List<?> fields = ScriptAnswer.list(answer);
    return Optional.of(
        new SecretInfo(Integer.parseInt((String) fields.get(0)), expiry(fields.get(1))));
  }

  @Override
  public CompletionStage<Boolean> burn(SecretOperation.Burn burn, Call call) {
    return run(
        RedisScript.DELETE, burn, List.of(), answer -> ScriptAnswer.number(answer) == 1, call);
  }

  private <T> CompletionStage<T> run(
      RedisScript script,
      SecretOperation<?> operation,
      List<?> arguments,
      Function<@Nullable Object, T> reading,
      Call call) {
    return runner.run(
        new ScriptCall(script, List.of(prefix + operation.id().value()), arguments),
        reading,
        operation.subject(),
        call);
  }
}
