package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Views;
import io.syncguard.spi.AsyncSecretBackend;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.ViewAttempt;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Secrets in two tables. Each operation is one script, and what it answers is the outcome. */
final class SqlSecrets implements SecretBackend {

  private final ScriptRunner runner;
  private final SecretScripts scripts;
  private final AsyncSecretBackend async;

  SqlSecrets(ScriptRunner runner, SecretScripts scripts, Workers workers) {
    this.runner = runner;
    this.scripts = scripts;
    this.async = AsyncSecretBackend.of(this, workers, workers.patience());
  }

  @Override
  public AsyncSecretBackend async() {
    return async;
  }

  @Override
  public Optional<Instant> put(NewSecret secret, CancelSignal signal) {
    return Optional.ofNullable(
        runner.run(
            ScriptRunner.Effect.WRITE,
            scripts.put(),
            Map.of(
                "id",
                secret.id().value(),
                "payload",
                secret.payload(),
                "proof",
                secret.proofHash().value(),
                "views",
                secret.views().count(),
                "ttl_ms",
                secret.ttl().toMillis()),
            call(secret.id(), signal),
            row -> Instant.ofEpochMilli(row.getLong("expires_at_ms"))));
  }

  @Override
  public ViewAttempt view(SecretId id, ProofHash presented, CancelSignal signal) {
    Call call = call(id, signal);
    ViewAttempt attempt =
        runner.run(
            ScriptRunner.Effect.WRITE,
            scripts.view(),
            Map.of("id", id.value(), "proof", presented.value()),
            call,
            row -> viewed(row, call));
    return attempt == null ? new ViewAttempt.NotFound() : attempt;
  }

  private static ViewAttempt viewed(ResultSet row, Call call) throws SQLException {
    if (!row.getBoolean("proven")) {
      return new ViewAttempt.WrongProof();
    }
    byte[] payload = row.getBytes("payload");
    int left = row.getInt("views_left");
    if (row.wasNull() || payload == null) {
      throw damaged(call);
    }
    return new ViewAttempt.Revealed(new SecretView(payload, left));
  }

  @Override
  public Optional<SecretInfo> peek(SecretId id, CancelSignal signal) {
    Call call = call(id, signal);
    Optional<SecretInfo> found =
        run(ScriptRunner.Effect.READ, scripts.peek(), id, call, row -> peeked(row, call));
    return found == null ? Optional.empty() : found;
  }

  private static Optional<SecretInfo> peeked(ResultSet row, Call call) throws SQLException {
    if (!isAlive(row)) {
      return Optional.empty();
    }
    long views = row.getLong("views");
    if (views < 1 || views > Views.MOST) {
      throw damaged(call);
    }
    return Optional.of(
        new SecretInfo((int) views, Instant.ofEpochMilli(row.getLong("expires_at_ms"))));
  }

  @Override
  public boolean burn(SecretId id, CancelSignal signal) {
    Boolean burned =
        run(ScriptRunner.Effect.WRITE, scripts.burn(), id, call(id, signal), SqlSecrets::isAlive);
    return burned != null && burned;
  }

  private static boolean isAlive(ResultSet row) throws SQLException {
    return row.getLong("expires_at_ms") > row.getLong("now_ms");
  }

  private <T> @Nullable T run(
      ScriptRunner.Effect effect,
      Script script,
      SecretId id,
      Call call,
      ScriptRunner.RowReader<T> reader) {
    return runner.run(effect, script, Map.of("id", id.value()), call, reader);
  }

  private static Call call(SecretId id, CancelSignal signal) {
    return Call.of(SyncGuardException.Context.ofBearer(null, id.value()), signal);
  }

  private static SyncGuardException damaged(Call call) {
    return call.failure(
        Code.INTERNAL, "A secret in the database is damaged; nothing was revealed", null);
  }
}
