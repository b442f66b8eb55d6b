package io.syncguard.postgresql;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How a {@link PostgresStore} behaves. Immutable; start from {@link #defaults()}. */
public final class PostgresOptions {

  /** The table of the locks unless told otherwise. */
  public static final String DEFAULT_LOCKS_TABLE = "syncguard_locks";

  /** The table of the fence counters unless told otherwise. */
  public static final String DEFAULT_FENCES_TABLE = "syncguard_fence_counters";

  /** The table of the keys that have waiters unless told otherwise. */
  public static final String DEFAULT_QUEUES_TABLE = "syncguard_queues";

  /** The table of the waiters for locks unless told otherwise. */
  public static final String DEFAULT_WAITERS_TABLE = "syncguard_waiters";

  /** The table of the processes that wait for locks unless told otherwise. */
  public static final String DEFAULT_PROCESSES_TABLE = "syncguard_processes";

  /** The table of the semaphores in use unless told otherwise. */
  public static final String DEFAULT_SEMAPHORES_TABLE = "syncguard_semaphores";

  /** The table of the semaphores' permits unless told otherwise. */
  public static final String DEFAULT_PERMITS_TABLE = "syncguard_permits";

  /** The table of the secrets unless told otherwise. */
  public static final String DEFAULT_SECRETS_TABLE = "syncguard_secrets";

  /** The table of the secrets' payloads unless told otherwise. */
  public static final String DEFAULT_PAYLOADS_TABLE = "syncguard_secret_payloads";

  /** The table of the counters unless told otherwise. */
  public static final String DEFAULT_COUNTERS_TABLE = "syncguard_counters";

  /** The table of the rate limiters unless told otherwise. */
  public static final String DEFAULT_LIMITERS_TABLE = "syncguard_rate_limiters";

  /** How long an operation may take unless told otherwise. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  private static final PostgresOptions DEFAULTS =
      new PostgresOptions(PostgresTables.DEFAULTS, DEFAULT_TIMEOUT, null);

  private final PostgresTables tables;
  private final Duration timeout;
  private final @Nullable DataSource listening;

  private PostgresOptions(PostgresTables tables, Duration timeout, @Nullable DataSource listening) {
    this.tables = tables;
    this.timeout = timeout;
    this.listening = listening;
  }

  /** Returns: the tables above, 5 s for an operation, and polling over a DataSource. */
  public static PostgresOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with other tables for locks, which must differ and have plain names:
   * letters, digits and underscores, at most 53 of them. They are looked for in the connection's
   * search path.
   */
  public PostgresOptions withTables(String locks, String fences) {
    return renaming(Map.of(PostgresTable.LOCKS, locks, PostgresTable.FENCES, fences));
  }

  /** Returns these options with other tables for those who wait for locks, named likewise. */
  public PostgresOptions withQueueTables(String queues, String waiters, String processes) {
    return renaming(
        Map.of(
            PostgresTable.QUEUES, queues,
            PostgresTable.WAITERS, waiters,
            PostgresTable.PROCESSES, processes));
  }

  /**
   * Returns these options with other tables for semaphores. What holds for the names of those for
   * locks holds for these.
   */
  public PostgresOptions withSemaphoreTables(String semaphores, String permits) {
    return renaming(Map.of(PostgresTable.SEMAPHORES, semaphores, PostgresTable.PERMITS, permits));
  }

  /** Returns these options with other tables for secrets, named like those for locks. */
  public PostgresOptions withSecretTables(String secrets, String payloads) {
    return renaming(Map.of(PostgresTable.SECRETS, secrets, PostgresTable.PAYLOADS, payloads));
  }

  /** Returns these options with other tables for counters and rate limiters, named likewise. */
  public PostgresOptions withLimitTables(String counters, String limiters) {
    return renaming(Map.of(PostgresTable.COUNTERS, counters, PostgresTable.LIMITERS, limiters));
  }

  PostgresOptions renaming(Map<PostgresTable, String> names) {
    return new PostgresOptions(tables.with(names), timeout, listening);
  }

  /**
   * Returns these options with another time for an operation, after which it fails with
   * NETWORK_TIMEOUT.
   */
  public PostgresOptions withTimeout(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
      throw SyncGuardException.invalidArgument("The timeout is at least 1 ms, not " + timeout);
    }
    return new PostgresOptions(tables, timeout, listening);
  }

  /**
   * Returns these options with waiters that are told of a release instead of asking again and
   * again. From the first wait on, one connection of this source is kept for it, which must lead to
   * the server itself and not to a proxy that pools transactions. It may be the pool that the store
   * works with if that has a connection to spare.
   */
  public PostgresOptions withListening(DataSource source) {
    return new PostgresOptions(tables, timeout, source);
  }

  PostgresOptions withoutListening() {
    return new PostgresOptions(tables, timeout, null);
  }

  PostgresTables tables() {
    return tables;
  }

  /** Returns the table of the locks. */
  public String locksTable() {
    return tables.name(PostgresTable.LOCKS);
  }

  /** Returns the table of the fence counters. */
  public String fencesTable() {
    return tables.name(PostgresTable.FENCES);
  }

  /** Returns the table of the keys that have waiters. */
  public String queuesTable() {
    return tables.name(PostgresTable.QUEUES);
  }

  /** Returns the table of the waiters for locks. */
  public String waitersTable() {
    return tables.name(PostgresTable.WAITERS);
  }

  /** Returns the table of the processes that wait for locks. */
  public String processesTable() {
    return tables.name(PostgresTable.PROCESSES);
  }

  /** Returns the table of the semaphores in use. */
  public String semaphoresTable() {
    return tables.name(PostgresTable.SEMAPHORES);
  }

  /** Returns the table of the semaphores' permits. */
  public String permitsTable() {
    return tables.name(PostgresTable.PERMITS);
  }

  /** Returns the table of the secrets. */
  public String secretsTable() {
    return tables.name(PostgresTable.SECRETS);
  }

  /** Returns the table of the secrets' payloads. */
  public String payloadsTable() {
    return tables.name(PostgresTable.PAYLOADS);
  }

  /** Returns the table of the counters. */
  public String countersTable() {
    return tables.name(PostgresTable.COUNTERS);
  }

  /** Returns the table of the rate limiters. */
  public String limitersTable() {
    return tables.name(PostgresTable.LIMITERS);
  }

  /** Returns how long an operation may take. */
  public Duration timeout() {
    return timeout;
  }

  /** Returns where the connection that listens comes from; empty if waiters poll. */
  public Optional<DataSource> listening() {
    return Optional.ofNullable(listening);
  }
}
