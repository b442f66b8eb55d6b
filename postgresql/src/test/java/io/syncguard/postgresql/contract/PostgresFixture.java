package io.syncguard.postgresql.contract;

import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.sql.Sql;
import java.time.Duration;
import java.util.List;

/** A new database on a real PostgreSQL, with SyncGuard's tables. */
class PostgresFixture implements StoreFixture {

  /** The shortest time that is not waited for. */
  private static final Duration LEAP = Duration.ofSeconds(1);

  private final PostgresDatabase database;
  private final String parameters;
  private final MovableTime time = MovableTime.flowing();

  PostgresFixture(int version, String parameters) {
    this.database = PostgresDatabase.create(version);
    this.parameters = parameters;
    try (PostgresStore store = openClient()) {
      store.setupSchema();
    }
  }

  /**
   * Returns one whose server's clock leaps instead of being waited for, where that is longer, and
   * whose commits do not wait for the disk.
   */
  static PostgresFixture thatLeaps(int version) {
    PostgresFixture fixture =
        new PostgresFixture(
            version,
            "?options=-c%20search_path%3Dleaping,public,pg_catalog"
                + "%20-c%20synchronous_commit%3Doff") {
          @Override
          public void passTime(Duration duration) throws InterruptedException {
            if (duration.compareTo(LEAP) < 0) {
              super.passTime(duration);
            } else {
              sql()
                  .execute(
                      "UPDATE leaping.clock SET ahead = ahead + ? * interval '1 millisecond'",
                      duration.toMillis());
              time().advance(duration);
            }
          }
        };
    Sql sql = fixture.sql();
    sql.execute("CREATE SCHEMA leaping");
    sql.execute("CREATE TABLE leaping.clock AS SELECT interval '0' AS ahead");
    sql.execute(
        "CREATE FUNCTION leaping.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS"
            + " 'SELECT pg_catalog.clock_timestamp() + ahead FROM leaping.clock'");
    return fixture;
  }

  final Sql sql() {
    return Sql.on(database);
  }

  @Override
  public PostgresStore openClient() {
    return PostgresStore.connect(database.uri() + parameters);
  }

  @Override
  public MovableTime time() {
    return time;
  }

  @Override
  public boolean notifies() {
    return !parameters.contains("waiting=poll");
  }

  @Override
  public boolean freeAsForeignClient(String key, LockId lockId) {
    sql().execute("DELETE FROM syncguard_locks WHERE key = ? AND lock_id = ?", key, lockId.value());
    return true;
  }

  @Override
  public boolean useUpFences(String key) {
    sql()
        .execute(
            "UPDATE syncguard_fence_counters SET fence = ? WHERE fence_key = ?",
            Fence.MAX,
            "fence:" + key);
    return true;
  }

  @Override
  public List<String> keptOfQueue(String key) {
    return sql()
        .rows(
            "SELECT key FROM syncguard_queues WHERE key = ?"
                + " UNION ALL SELECT lock_id FROM syncguard_waiters WHERE key = ?",
            key,
            key)
        .stream()
        .map(row -> String.valueOf(row.get("key")))
        .toList();
  }

  @Override
  public void close() {
    database.close();
  }
}
