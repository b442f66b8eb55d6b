package io.syncguard.jdbc.backend;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Views;
import io.syncguard.spi.Call;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.SecretBackend;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.spi.secret.ViewAttempt;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Secrets in two tables. Each operation is one script, and what it answers is the outcome. */
public final class SqlSecrets implements SecretBackend {

  private final ScriptRunner runner;
  private final SecretScripts scripts;

  public SqlSecrets(ScriptRunner runner, SecretScripts scripts) {
    this.runner = runner;
    this.scripts = scripts;
  }

  @Override
  public CompletionStage<Optional<Instant>> put(SecretOperation.Put put, Call call) {
    NewSecret secret = put.secret();
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("id", secret.id().value());
    parameters.put("payload", secret.payload());
    parameters.put("proof", secret.proofHash().value());
    parameters.put("views", secret.views().count());
    parameters.put("ttl_ms", secret.ttl().toMillis());
    return completedFuture(
        Optional.ofNullable(
            runner.run(
                scripts.put(),
                parameters,
                SqlCall.of(put.subject(), call),
                row -> Instant.ofEpochMilli(row.getLong("expires_at_ms")))));
  }

  @Override
  public CompletionStage<ViewAttempt> view(SecretOperation.View view, Call call) {
    SqlCall sqlCall = SqlCall.of(view.subject(), call);
    ViewAttempt attempt =
        runner.run(
            scripts.view(),
            Map.of("id", view.id().value(), "proof", view.presented().value()),
            sqlCall,
            row -> viewed(row, sqlCall));
    return completedFuture(attempt == null ? new ViewAttempt.NotFound() : attempt);
  }

  private static ViewAttempt viewed(ResultSet row, SqlCall call) throws SQLException {
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
  public CompletionStage<Optional<SecretInfo>> peek(SecretOperation.Peek question, Call call) {
    SqlCall sqlCall = SqlCall.of(question.subject(), call);
    Optional<SecretInfo> found =
        runner.run(
            scripts.peek(),
            Map.of("id", question.id().value()),
            sqlCall,
            row -> peeked(row, sqlCall));
    return completedFuture(found == null ? Optional.empty() : found);
  }

  private static Optional<SecretInfo> peeked(ResultSet row, SqlCall call) throws SQLException {
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
  public CompletionStage<Boolean> burn(SecretOperation.Burn burn, Call call) {
    Boolean burned =
        runner.run(
            scripts.burn(),
            Map.of("id", burn.id().value()),
            SqlCall.of(burn.subject(), call),
            SqlSecrets::isAlive);
    return completedFuture(burned != null && burned);
  }

  private static boolean isAlive(ResultSet row) throws SQLException {
    return row.getLong("expires_at_ms") > row.getLong("now_ms");
  }

  private static SyncGuardException damaged(SqlCall call) {
    return call.failure(
        Code.INTERNAL, "A secret in the database is damaged; nothing was revealed", null);
  }
}
