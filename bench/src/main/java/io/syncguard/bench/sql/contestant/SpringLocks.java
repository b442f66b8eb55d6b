package io.syncguard.bench.sql.contestant;

import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.testkit.server.PostgresAddress;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's registry, all settings but the lifetime at their defaults. */
public final class SpringLocks implements Contestant {

  private final HikariDataSource pool;
  private final DefaultLockRepository repository;
  private final JdbcLockRegistry registry;

  public SpringLocks(PostgresAddress address) throws SQLException {
    this.pool = Pools.open(address);
    SqlFile.run(pool, SqlFile.read("spring_schema.sql"));
    this.repository = new DefaultLockRepository(pool);
    repository.setTransactionManager(new DataSourceTransactionManager(pool));
    repository.afterPropertiesSet();
    repository.afterSingletonsInstantiated();
    this.registry = new JdbcLockRegistry(repository, LEASE);
  }

  /** With time to wait, because keys of other threads may share a local lock with this one. */
  @Override
  public void cycle(String key) throws InterruptedException {
    Lock lock = registry.obtain(key);
    Contestant.require(lock.tryLock(10, TimeUnit.SECONDS), "Spring Integration's tryLock");
    lock.unlock();
  }

  @Override
  public void close() {
    repository.close();
    pool.close();
  }
}
