package io.syncguard.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
@Tag("slow")
class PostgresServerTest {
  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 18})
  void aVersionStartsAndWritesDurablyUnlessToldOtherwise(int version) throws SQLException {
    try (PostgresServer started =
            PostgresServer.builder().version(version).setting("max_connections", "7").start();
        Connection connection = started.connect()) {
      assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(version);
      assertThat(ask(connection, "SHOW fsync")).isEqualTo("on");
      assertThat(ask(connection, "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(ask(connection, "SHOW max_connections")).isEqualTo("7");
    }
  }

  @Test
  void aWrongPasswordIsRefused() {
    PostgresAddress stranger = server.address().withLogin("postgres", "wrong");
    assertThatThrownBy(stranger::connect)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
  }

  @Test
  void aDatabaseIsEmptyOfItsOwnAndDroppedWhenClosed() throws SQLException {
    PostgresDatabase first = server.createDatabase();
    try (PostgresDatabase second = server.createDatabase();
        Connection stillOpen = first.connect()) {
      first.execute("CREATE TABLE t (n INT)");
      second.execute("CREATE TABLE t (n INT)");
      first.close();
      assertThatThrownBy(() -> ask(stillOpen, "SELECT 1")).isInstanceOf(SQLException.class);
      assertThatThrownBy(first::connect)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("3D000"));
    }
  }

  @Test
  void databasesOfOneVersionShareAServer() {
    try (PostgresDatabase first = PostgresDatabase.create(18);
        PostgresDatabase second = PostgresDatabase.create(18)) {
      assertThat(second.address().withDatabase("")).isEqualTo(first.address().withDatabase(""));
      assertThat(second.uri()).isNotEqualTo(first.uri());
    }
  }

  @Test
  void whatWasCommittedSurvivesAStopAndAKill() throws SQLException {
    try (PostgresDatabase database = server.createDatabase()) {
      database.execute("CREATE TABLE t (n INT)");
      server.stop();
      server.stop();
      assertThatThrownBy(server::connect).isInstanceOf(SQLException.class);
      server.restart();
      database.execute("INSERT INTO t VALUES (1)");
      server.kill();
      server.kill();
      server.restart();
      try (Connection connection = database.connect()) {
        assertThat(ask(connection, "SELECT count(*) FROM t")).isEqualTo("1");
      }
    }
  }

  @Test
  void aPausedServerAnswersNobodyUntilItIsResumed() throws Exception {
    try (Connection connection = server.connect()) {
      server.pause();
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(() -> askUnchecked(connection, "SELECT 1"));
      CompletableFuture<String> newcomer = CompletableFuture.supplyAsync(this::connectAndAsk);
      assertThat(Await.within(Duration.ofMillis(200), () -> answer.isDone() || newcomer.isDone()))
          .isFalse();
      server.resume();
      assertThat(answer.get()).isEqualTo("1");
      assertThat(newcomer.get()).isEqualTo("2");
    }
  }

  @Test
  void aPausedServerCanBeStoppedKilledAndClosed() {
    try (PostgresServer mortal = PostgresServer.start()) {
      mortal.pause();
      mortal.stop();
      mortal.restart();
      mortal.pause();
      mortal.kill();
      mortal.restart();
      mortal.pause();
    }
  }

  @Test
  void aServerThatCannotStartSaysWhy() {
    assertThatThrownBy(() -> PostgresServer.builder().setting("no_such", "1").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no_such");
  }

  @Test
  void aVersionThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> PostgresServer.builder().version(9).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("No version 9");
  }

  @Test
  void closingRemovesTheDataDirectory() throws SQLException {
    PostgresServer closed = PostgresServer.start();
    Path data;
    try (Connection connection = closed.connect()) {
      data = Path.of(ask(connection, "SHOW data_directory"));
    }
    assertThat(data).isDirectory();
    closed.close();
    closed.close();
    assertThat(data.getParent()).doesNotExist();
  }

  @Test
  void anAddressIsWhatItsUriSays() {
    PostgresAddress address = new PostgresAddress("db", 6543, "a b", "o'neil@x", "p:w/%+ 1");
    assertThat(PostgresAddress.parse(address.uri())).isEqualTo(address);
    assertThat(PostgresAddress.parse("postgresql://me@db/app"))
        .isEqualTo(new PostgresAddress("db", 5432, "app", "me", ""));
    assertThatThrownBy(() -> PostgresAddress.parse("postgresql://db/app"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private String connectAndAsk() {
    try (Connection connection = server.connect()) {
      return ask(connection, "SELECT 2");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static String askUnchecked(Connection connection, String query) {
    try {
      return ask(connection, query);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static String ask(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(query)) {
      answer.next();
      return answer.getString(1);
    }
  }
}
