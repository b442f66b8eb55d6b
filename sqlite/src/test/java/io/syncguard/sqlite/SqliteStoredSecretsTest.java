package io.syncguard.sqlite;

import static io.syncguard.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.jdbc.script.SqlScript.Effect;
import io.syncguard.secret.SecretId;
import io.syncguard.spi.Store;
import io.syncguard.testkit.sql.BareLocks;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.StoredSecretsSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteStoredSecretsTest implements StoredSecretsSuite {

  private final SqliteFixture fixture = new SqliteFixture();
  private final SqliteStore store = fixture.openClient();

  @AfterEach
  void close() {
    store.close();
    fixture.close();
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Store openAnother() {
    return fixture.openClient();
  }

  @Override
  public Sql sql() {
    return Sql.on(fixture.file());
  }

  @Override
  public long sweep() {
    return store.sweeper().sweep();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingOfThePayloadIsLeftInTheFile(boolean burned) throws Exception {
    SecretId id = put(1);
    checkpoint();
    assertThat(content(fixture.file())).contains(new String(PAYLOAD, ISO_8859_1));
    if (burned) {
      secrets().burn(id);
    } else {
      secrets().view(id);
    }
    checkpoint();
    assertThat(content(fixture.file())).doesNotContain(new String(PAYLOAD, ISO_8859_1));
  }

  @Test
  void onceTheStoreIsClosedNothingIsLeftOfTheLogEither() {
    SecretId id = put(1);
    secrets().view(id);
    store.close();
    assertThat(fixture.file().resolveSibling(fixture.file().getFileName() + "-wal")).doesNotExist();
  }

  @Test
  void nothingOfAnExpiredPayloadIsLeftInTheFileNorInTheLogThatOthersUse() throws Exception {
    put(1);
    assertThat(content(log())).contains(new String(PAYLOAD, ISO_8859_1));
    fixture.time().advance(BareLocks.TTL);
    openAnother().close();
    assertThat(content(log())).doesNotContain(new String(PAYLOAD, ISO_8859_1));
    assertThat(content(fixture.file())).doesNotContain(new String(PAYLOAD, ISO_8859_1));
  }

  @Test
  void whatWasViewedLeavesTheLogWithTheNextSweep() throws Exception {
    secrets().view(put(1));
    assertThat(content(log())).contains(new String(PAYLOAD, ISO_8859_1));
    fixture.time().advance(Duration.ofMinutes(2));
    secrets().view(SecretId.random());
    eventually(() -> assertThat(content(log())).doesNotContain(new String(PAYLOAD, ISO_8859_1)));
  }

  @Test
  void whatAReaderKeepsInTheLogLeavesItWithTheSweepAfterThat() throws Exception {
    put(1);
    try (Connection reading = sql().begin()) {
      Sql.rowsOn(reading, "SELECT * FROM syncguard_secrets");
      fixture.time().advance(BareLocks.TTL);
      openAnother().close();
      assertThat(content(log())).contains(new String(PAYLOAD, ISO_8859_1));
    }
    fixture.time().advance(Duration.ofMinutes(2));
    secrets().view(SecretId.random());
    eventually(() -> assertThat(content(log())).doesNotContain(new String(PAYLOAD, ISO_8859_1)));
  }

  @Test
  void closingDoesNotWaitForASweepThatWaitsForOthers() throws Exception {
    put(1);
    fixture.time().advance(BareLocks.TTL);
    try (Connection writing = sql().open()) {
      Sql.rowsOn(writing, "BEGIN IMMEDIATE");
      Store closing = openAnother();
      long begunAt = System.nanoTime();
      closing.close();
      assertThat(Duration.ofNanos(System.nanoTime() - begunAt))
          .isLessThan(SqliteFile.DEFAULT_BUSY_TIMEOUT.dividedBy(2));
      Sql.rowsOn(writing, "ROLLBACK");
    }
  }

  @Test
  void whatIsDueIsFoundByIndexes() {
    String sql = SqliteStore.files().read("due", Effect.READ).statements().get(0).sql();
    assertThat(sql().rows("EXPLAIN QUERY PLAN " + sql, 1, 1, 1, 1, 1, 1, 1, 1, 1))
        .extracting(row -> row.get("detail").toString())
        .filteredOn(detail -> detail.startsWith("SCAN"))
        .containsExactly("SCAN CONSTANT ROW", "SCAN s");
  }

  private Path log() {
    return fixture.file().resolveSibling(fixture.file().getFileName() + "-wal");
  }

  private void checkpoint() {
    sql().execute("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  private static String content(Path file) throws Exception {
    return new String(Files.readAllBytes(file), ISO_8859_1);
  }
}
