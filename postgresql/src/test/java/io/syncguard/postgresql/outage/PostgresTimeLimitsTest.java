package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.postgresql.PostgresOptions;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.PostgresServer;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.TimedOperations;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The wait for a connection, and for an answer, is part of an operation's time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresTimeLimitsTest {

  /** Longer than the test lets an operation take. */
  private static final String TIMEOUT = "30s";

  private final PostgresServer server = PostgresServer.builder().version(18).start();
  private final FaultyProxy proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());

  /** What may happen to a server. */
  enum Trouble {
    REFUSES {
      @Override
      void begin(PostgresServer server, FaultyProxy proxy) {
        proxy.refuseConnections();
        proxy.cutConnections();
      }

      @Override
      void end(PostgresServer server, FaultyProxy proxy) {
        proxy.heal();
      }
    },
    ACCEPTS_AND_SAYS_NOTHING {
      @Override
      void begin(PostgresServer server, FaultyProxy proxy) {
        proxy.freezeReplies();
        proxy.cutConnections();
      }

      @Override
      void end(PostgresServer server, FaultyProxy proxy) {
        proxy.heal();
      }
    },
    STANDS_STILL {
      @Override
      void begin(PostgresServer server, FaultyProxy proxy) {
        server.pause();
      }

      @Override
      void end(PostgresServer server, FaultyProxy proxy) {
        server.resume();
      }
    };

    abstract void begin(PostgresServer server, FaultyProxy proxy);

    abstract void end(PostgresServer server, FaultyProxy proxy);
  }

  @BeforeEach
  void emptyTheTables() {
    try (PostgresStore store = PostgresStore.connect(server.address().uri())) {
      store.setupSchema();
    }
    Sql.on(server.address())
        .execute(
            "TRUNCATE syncguard_locks, syncguard_semaphores, syncguard_permits,"
                + " syncguard_rate_limiters");
  }

  @AfterAll
  void stop() {
    proxy.close();
    server.close();
  }

  private String uri(String parameters) {
    return server.address().uri().replace(":" + server.port(), ":" + proxy.port())
        + "?timeout="
        + TIMEOUT
        + parameters;
  }

  private HikariDataSource pool(int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.address().jdbcUrl().replace(":" + server.port(), ":" + proxy.port()));
    config.setUsername(server.address().user());
    config.setPassword(server.address().password());
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }

  private static PostgresStore over(HikariDataSource pool) {
    return PostgresStore.over(pool, PostgresOptions.defaults().withTimeout(Duration.ofSeconds(30)));
  }

  private void assertAllEndInTime(PostgresStore store, Trouble trouble) throws Exception {
    try (TimedOperations operations = new TimedOperations(store)) {
      trouble.begin(server, proxy);
      try {
        operations.begin();
        operations.assertEndInTime();
      } finally {
        trouble.end(server, proxy);
      }
      eventually(() -> assertThat(operations.guard().locks().isLocked("new")).isFalse());
    }
  }

  @ParameterizedTest
  @EnumSource(Trouble.class)
  void everyOperationEndsByItsTime(Trouble trouble) throws Exception {
    assertAllEndInTime(PostgresStore.connect(uri("")), trouble);
  }

  @ParameterizedTest
  @EnumSource(Trouble.class)
  void everyOperationEndsByItsTimeOverADataSource(Trouble trouble) throws Exception {
    try (HikariDataSource pool = pool(10)) {
      assertAllEndInTime(over(pool), trouble);
    }
  }

  @Test
  void everyOperationEndsByItsTimeWhenOthersHaveAllConnections() throws Exception {
    try (HikariDataSource pool = pool(1);
        TimedOperations operations = new TimedOperations(over(pool))) {
      try (Connection taken = pool.getConnection()) {
        operations.begin();
        operations.assertEndInTime();
        assertThat(taken.isClosed()).isFalse();
      }
      assertThat(operations.guard().locks().isLocked("new")).isFalse();
      eventually(() -> assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero());
    }
  }
}
