package io.syncguard.bench.sql.contestant;

import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.testkit.server.PostgresAddress;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's registry, all settings but the lifetime at their defaults. */
public final class SpringLocks implements WaitingContestant {

  private final HikariDataSource pool;
  private final DefaultLockRepository repository;
  private final JdbcLockRegistry registry;

  private SpringLocks(HikariDataSource pool) {
    this.pool = pool;
    this.repository = new DefaultLockRepository(pool);
    repository.setTransactionManager(new DataSourceTransactionManager(pool));
    repository.afterPropertiesSet();
    repository.afterSingletonsInstantiated();
    this.registry = new JdbcLockRegistry(repository, LEASE);
  }

  /** Creates the table. */
  public static void setUp(PostgresAddress address) throws SQLException {
    try (HikariDataSource pool = Pools.open(address)) {
      SqlFile.run(pool, SqlFile.read("spring_schema.sql"));
    }
  }

  /** Opens them on a table that is there. */
  public static SpringLocks open(PostgresAddress address) {
    return new SpringLocks(Pools.open(address));
  }

  /** With time to wait, because keys of other threads may share a local lock with this one. */
  @Override
  public void cycle(String key) throws InterruptedException {
    Lock lock = registry.obtain(key);
    Contestant.require(lock.tryLock(10, TimeUnit.SECONDS), "Spring Integration's tryLock");
    lock.unlock();
  }

  @Override
  public Held lock(String key) {
    Lock lock = registry.obtain(key);
    lock.lock();
    return lock::unlock;
  }

  @Override
  public void close() {
    repository.close();
    pool.close();
  }
}
