package io.syncguard.postgresql.stored;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.PostgresOptions;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Views;
import io.syncguard.spi.Store;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.StoredSecretsSuite;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresStoredSecretsTest extends OnPostgres implements StoredSecretsSuite {

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Store openAnother() {
    return PostgresStore.connect(database.uri());
  }

  @Override
  public Sql sql() {
    return sql;
  }

  @Test
  void aViewDoesNotWriteThePayloadAgain() {
    SecretId id = put(3);
    String version = "SELECT ctid::text || xmin FROM syncguard_secret_payloads";
    Object before = sql.value(version);
    secrets().view(id);
    secrets().view(id);
    assertThat(sql.value(version)).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"view, 2", "view, 1", "burn, 2"})
  void aViewIsOnDiskBeforeItRevealsWhateverTheSessionSays(String function, int views)
      throws Exception {
    SecretId id = put(views);
    String arguments = function.equals("view") ? "(?, '')" : "(?)";
    try (Connection relaxed = sql.begin()) {
      Sql.rowsOn(relaxed, "SET synchronous_commit = off");
      Sql.rowsOn(
          relaxed, "SELECT * FROM syncguard_secrets_" + function + "_1" + arguments, id.value());
      assertThat(Sql.rowsOn(relaxed, "SHOW synchronous_commit").get(0)).containsValue("on");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret/sweep", "limit/sweep_counters", "limit/sweep_limiters"})
  void sweepingUsesTheIndex(String script) throws Exception {
    assertThat(planOf(script, 10L))
        .containsPattern("Index Cond: \\((expires|resets)_at_ms <= ")
        .doesNotContain("Seq Scan", "Filter");
  }

  @Test
  void whatIsDueIsFoundByTheIndexButForNamesOfSemaphores() throws Exception {
    assertThat(planOf("due", 1L)).contains("syncguard_secrets_expires", "syncguard_locks_expires");
  }

  @Test
  void overConnectionsOfTheCallersWhatHasExpiredGoesWithTheFirstUse() {
    store("old", 1);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(database.address().jdbcUrl());
    source.setUser(database.address().user());
    source.setPassword(database.address().password());
    try (PostgresStore other = PostgresStore.over(source, PostgresOptions.defaults())) {
      SyncGuard.over(other).secrets().view(SecretId.random());
    }
    assertThat(sql.rows("SELECT 1 FROM syncguard_secret_payloads")).isEmpty();
  }

  @Test
  void aLockedSecretIsNotSweptAndNotWaitedFor() throws Exception {
    store("old", 1);
    store("older", 0);
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, "SELECT 1 FROM syncguard_secrets WHERE id = 'older' FOR UPDATE");
      assertThat(sweep()).isEqualTo(1);
    }
    assertThat(sql.value("SELECT id FROM syncguard_secret_payloads")).isEqualTo("older");
  }

  @Test
  void aViewThatWaitedForARowSeesTheClockAsItIsThen() throws Exception {
    SecretId id = secrets().put(PAYLOAD, Views.of(1), Duration.ofSeconds(1));
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, "SELECT 1 FROM syncguard_secrets FOR UPDATE");
      CompletableFuture<Optional<SecretView>> view = inBackground(() -> secrets().view(id));
      awaitBlocked(1);
      eventually(() -> assertThat(secrets().peek(id)).isEmpty());
      other.commit();
      assertThat(view.get()).isEmpty();
    }
  }
}
