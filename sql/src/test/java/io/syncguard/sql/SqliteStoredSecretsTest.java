package io.syncguard.sql;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.secret.SecretId;
import io.syncguard.spi.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteStoredSecretsTest implements StoredSecretsSuite {

  private final SqliteFixture fixture = new SqliteFixture();
  private final SqliteStore store = (SqliteStore) fixture.openClient();

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

  private void checkpoint() {
    sql().execute("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  private static String content(Path file) throws Exception {
    return new String(Files.readAllBytes(file), ISO_8859_1);
  }
}
