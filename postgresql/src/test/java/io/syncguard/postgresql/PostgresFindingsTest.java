package io.syncguard.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.Finding;
import io.syncguard.spi.Finding.Level;
import io.syncguard.testkit.server.PostgresDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found out about a server, fit and unfit. */
class PostgresFindingsTest extends OnPostgres {

  private Finding finding(String subject) {
    return finding(subject, store);
  }

  private static Finding finding(String subject, PostgresStore store) {
    return store.examine().stream()
        .filter(found -> found.subject().equals(subject))
        .findFirst()
        .orElseThrow(() -> new AssertionError("Nothing about " + subject));
  }

  @Test
  void onAServerThatIsFitAllIsWell() {
    assertThat(store.examine())
        .allSatisfy(found -> assertThat(found.level()).isEqualTo(Level.OK))
        .allSatisfy(found -> assertThat(found.advice()).isEmpty())
        .extracting(Finding::subject)
        .containsExactly(
            "version", "persistence", "replication", "schema", "rights", "isolation", "waiting");
    assertThat(finding("version").detail()).matches("PostgreSQL \\d.*");
  }

  @ParameterizedTest
  @CsvSource({
    "synchronous_commit=off, persistence, WARNING, synchronous_commit=on",
    "default_transaction_read_only=on, rights, FAILURE, primary",
    "default_transaction_isolation=serializable, isolation, FAILURE, READ COMMITTED",
    "search_path=nowhere, schema, FAILURE, setupSchema()"
  })
  void aSettingThatDoesHarmIsFound(String setting, String subject, Level level, String advice) {
    String options = "?options=-c%20" + setting.replace("=", "%3D");
    try (PostgresStore unfit = PostgresStore.connect(database.uri() + options)) {
      Finding found = finding(subject, unfit);
      assertThat(found.level()).isEqualTo(level);
      assertThat(found.advice()).contains(advice);
      assertThat(unfit.examine()).filteredOn(other -> other.level() != Level.OK).hasSize(1);
    }
  }

  @Test
  void withoutTablesItSaysHowToGetThemAndThenThatTheyAreThere() {
    try (PostgresDatabase empty = PostgresDatabase.create(18);
        PostgresStore unset = PostgresStore.connect(empty.uri())) {
      assertThat(finding("schema", unset).level()).isEqualTo(Level.FAILURE);
      assertThat(finding("schema", unset).advice()).contains("setupSchema()");
      assertThat(finding("rights", unset).level()).isEqualTo(Level.OK);
      unset.setupSchema();
      assertThat(finding("schema", unset).level()).isEqualTo(Level.OK);
    }
  }

  @Test
  void waitersThatAreToldToAskAgainAreAllRight() {
    try (PostgresStore polling = PostgresStore.connect(database.uri() + "?waiting=poll")) {
      Finding found = finding("waiting", polling);
      assertThat(found.level()).isEqualTo(Level.OK);
      assertThat(found.detail()).contains("ask again");
    }
  }

  @Test
  void aProxyThatKeepsNotificationsFromWaitersIsWarnedOf() throws Exception {
    try (RenumberingProxy proxy = new RenumberingProxy(database.address());
        PostgresStore behind = PostgresStore.connect(proxy.address().uri())) {
      Finding found = finding("waiting", behind);
      assertThat(found.level()).isEqualTo(Level.WARNING);
      assertThat(found.detail()).contains("proxy");
    }
  }
}
