package io.syncguard.postgresql;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.secret.SecretId;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Finding.Level;
import io.syncguard.spi.secret.ProofHash;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.testkit.server.PostgresAddress;
import io.syncguard.testkit.server.PostgresServer;
import io.syncguard.testkit.sql.EveryOperation;
import io.syncguard.testkit.sql.Permits;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that do not let a client in, or not everywhere. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresAccessTest {

  private static final String KEY = "a key that stays secret";

  private final PostgresServer server =
      PostgresServer.builder().version(18).setting("max_connections", "15").start();
  private final PostgresAddress address = server.address();
  private final Sql sql = Sql.on(address);

  @BeforeAll
  void createUsers() {
    try (PostgresStore store = PostgresStore.connect(address.uri())) {
      store.setupSchema();
    }
    sql.execute("CREATE ROLE stranger LOGIN PASSWORD 'pw'");
    sql.execute("CREATE ROLE reader LOGIN PASSWORD 'pw'");
    sql.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
    sql.execute("CREATE ROLE worker LOGIN PASSWORD 'pw'");
    sql.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO worker");
    createLeast();
  }

  /** Creates a user with the rights that the guide says are enough. */
  private void createLeast() {
    sql.execute("CREATE ROLE least LOGIN PASSWORD 'pw'");
    sql.execute(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON syncguard_locks, syncguard_queues,"
            + " syncguard_waiters, syncguard_processes, syncguard_semaphores, syncguard_permits, syncguard_secrets, syncguard_counters,"
            + " syncguard_rate_limiters TO least");
    sql.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON syncguard_secret_payloads TO least");
    sql.execute("GRANT SELECT, INSERT, UPDATE ON syncguard_fence_counters TO least");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static SyncGuardException assertRefused(Code code, PostgresStore store) {
    SyncGuardException failure =
        assertFails(code, () -> OnPostgres.acquire(store.locks(), KEY, LockId.random()));
    assertThat(failure.isOutcomeUnknown()).isFalse();
    assertThat(Throwables.getStackTrace(failure)).doesNotContain(KEY);
    return failure;
  }

  private static Finding finding(String subject, PostgresStore store) {
    return store.examine().stream()
        .filter(found -> found.subject().equals(subject))
        .findFirst()
        .orElseThrow(() -> new AssertionError("Nothing about " + subject));
  }

  @ParameterizedTest
  @CsvSource({"stranger, FAILURE", "reader, FAILURE", "worker, OK", "least, OK"})
  void whatAUserMayNotDoIsFoundBeforehand(String user, Level level) {
    try (PostgresStore store = PostgresStore.connect(address.withLogin(user, "pw").uri())) {
      Finding found = finding("rights", store);
      assertThat(found.level()).isEqualTo(level);
      assertThat(found.detail())
          .contains(level == Level.OK ? "read and write" : "syncguard_rate_limiters");
    }
  }

  @Test
  void replicasThatAreNotWaitedForAreWarnedOf() throws Exception {
    Properties asReplica = new Properties();
    asReplica.setProperty("user", address.user());
    asReplica.setProperty("password", address.password());
    asReplica.setProperty("replication", "true");
    asReplica.setProperty("preferQueryMode", "simple");
    asReplica.setProperty("assumeMinServerVersion", "15");
    try (PostgresStore store = PostgresStore.connect(address.uri())) {
      assertThat(finding("replication", store).level()).isEqualTo(Level.OK);
      try (Connection replica = DriverManager.getConnection(address.jdbcUrl(), asReplica)) {
        assertThat(replica.isClosed()).isFalse();
        Finding found = finding("replication", store);
        assertThat(found.level()).isEqualTo(Level.WARNING);
        assertThat(found.advice()).contains("synchronous_standby_names");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "worker", "nobody"})
  void aWrongPasswordIsRefusedOnConnectingAndNotRepeated(String user) {
    String uri = address.withLogin(user, "wr0ng s3cret").uri();
    SyncGuardException failure = assertFails(Code.AUTH_FAILED, () -> PostgresStore.connect(uri));
    assertThat(Throwables.getStackTrace(failure)).doesNotContain("wr0ng", "s3cret");
  }

  @Test
  void aDatabaseThatIsNotThereIsRefusedOnConnecting() {
    String uri = address.withDatabase("elsewhere").uri();
    assertThat(assertFails(Code.INVALID_ARGUMENT, () -> PostgresStore.connect(uri)))
        .hasMessageContaining("no such database");
  }

  @Test
  void aServerThatIsNotThereIsUnavailable() {
    String uri = address.withLocalPort(1).uri();
    SyncGuardException failure =
        assertFails(Code.SERVICE_UNAVAILABLE, () -> PostgresStore.connect(uri));
    assertThat(failure).hasMessageContaining("127.0.0.1:1 ").hasMessageNotContaining("answered");
    assertThat(Throwables.getStackTrace(failure)).doesNotContain(address.password());
  }

  @Test
  void aMissingPasswordIsRefusedForGood() {
    String uri = address.withLogin("worker", "").uri();
    assertThat(assertFails(Code.AUTH_FAILED, () -> PostgresStore.connect(uri)))
        .hasMessageContaining("password")
        .returns(false, SyncGuardException::isTransient);
  }

  @Test
  void aTableThatAUserMayNotUseIsNamed() {
    try (PostgresStore store = PostgresStore.connect(address.withLogin("reader", "pw").uri())) {
      assertThat(assertRefused(Code.AUTH_FAILED, store))
          .hasMessageContaining("syncguard_fence_counters");
    }
  }

  @Test
  void aTableThatIsMissingIsNamed() {
    String uri = address.uri() + "?fencesTable=elsewhere";
    try (PostgresStore store = PostgresStore.connect(uri)) {
      assertThat(assertRefused(Code.INVALID_ARGUMENT, store))
          .hasMessageContaining("does not have elsewhere;");
      assertThat(finding("schema", store).detail()).isEqualTo("there is no elsewhere");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stranger", "reader"})
  void aUserWithoutRightsIsToldWhichAreMissing(String user) {
    try (PostgresStore store = PostgresStore.connect(address.withLogin(user, "pw").uri())) {
      assertThat(assertRefused(Code.AUTH_FAILED, store))
          .hasMessageContaining("SELECT, INSERT, UPDATE and DELETE");
      assertThat(
              assertFails(
                  Code.AUTH_FAILED,
                  () -> ask(store, new SecretOperation.View(SecretId.random(), ProofHash.NONE))))
          .hasMessageContaining("SELECT, INSERT, UPDATE and DELETE");
      assertFails(
          Code.AUTH_FAILED, () -> Permits.ask(store.semaphores(), newPermit("stranger's"), 1));
      assertThat(assertFails(Code.AUTH_FAILED, store::setupSchema)).hasMessageContaining("CREATE");
    }
  }

  @Test
  void theRightsThatAreAskedForAreEnough() throws Exception {
    try (PostgresStore store = PostgresStore.connect(address.withLogin("worker", "pw").uri())) {
      EveryOperation.onLock("worker's", LockId.random())
          .forEach((name, operation) -> ask(store, operation));
      EveryOperation.onSecretsAndLimits("worker's").values().forEach(each -> ask(store, each));
      Permits.everyOperation("worker's").forEach((name, operation) -> ask(store, operation));
      store.sweeper().sweep();
    }
  }

  @Test
  void aReadOnlySessionIsToldToGoToThePrimary() {
    try (PostgresStore store =
        PostgresStore.connect(address.uri() + "?options=-c%20default_transaction_read_only%3Don")) {
      assertThat(assertRefused(Code.SERVICE_UNAVAILABLE, store))
          .hasMessageContaining("targetServerType=primary");
    }
  }

  @Test
  void aServerWithTooManyConnectionsIsUnavailable() throws Exception {
    List<Connection> others = new ArrayList<>();
    try {
      while (others.size() < 100) {
        others.add(server.connect());
      }
    } catch (SQLException full) {
      assertThat(full.getSQLState()).isEqualTo("53300");
      String uri = address.withLogin("worker", "pw").uri();
      assertThat(assertFails(Code.SERVICE_UNAVAILABLE, () -> PostgresStore.connect(uri)))
          .hasMessageContaining("too many connections");
    } finally {
      for (Connection other : others) {
        other.close();
      }
    }
    assertThat(others).hasSizeBetween(1, 99);
  }

  @Test
  void aDatabaseThatIsSerializableByDefaultIsRefused() {
    sql.execute("CREATE DATABASE strict");
    sql.execute("ALTER DATABASE strict SET default_transaction_isolation = 'serializable'");
    try (PostgresStore store = PostgresStore.connect(address.withDatabase("strict").uri())) {
      store.setupSchema();
      assertFails(
          Code.INVALID_ARGUMENT, () -> OnPostgres.acquire(store.locks(), KEY, LockId.random()));
    }
  }
}
