package io.syncguard.bench.sql.contestant;

import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.testkit.server.PostgresAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock over Spring's JdbcTemplate, by the database's clock. */
public final class ShedLocks implements Contestant {

  private final HikariDataSource pool;
  private final LockProvider provider;

  public ShedLocks(PostgresAddress address) throws SQLException {
    this.pool = Pools.open(address);
    SqlFile.run(pool, SqlFile.read("shedlock_schema.sql"));
    this.provider =
        new JdbcTemplateLockProvider(
            JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
  }

  @Override
  public void cycle(String key) {
    provider
        .lock(new LockConfiguration(Instant.now(), key, LEASE, Duration.ZERO))
        .orElseThrow()
        .unlock();
  }

  @Override
  public void close() {
    pool.close();
  }
}
