package io.syncguard.sql;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How a {@link PostgresStore} behaves. Immutable; start from {@link #defaults()}. */
public final class PostgresOptions {

  /** The table of the locks unless told otherwise. */
  public static final String DEFAULT_LOCKS_TABLE = "syncguard_locks";

  /** The table of the fence counters unless told otherwise. */
  public static final String DEFAULT_FENCES_TABLE = "syncguard_fence_counters";

  /** The table of those who wait unless told otherwise. */
  public static final String DEFAULT_WAITERS_TABLE = "syncguard_waiters";

  /** How long an operation may take unless told otherwise. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  /** Room is left for the names of an index and of functions. */
  private static final Pattern PLAIN_IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,52}");

  private static final PostgresOptions DEFAULTS =
      new PostgresOptions(
          DEFAULT_LOCKS_TABLE, DEFAULT_FENCES_TABLE, DEFAULT_WAITERS_TABLE, DEFAULT_TIMEOUT, null);

  private final String locksTable;
  private final String fencesTable;
  private final String waitersTable;
  private final Duration timeout;
  private final @Nullable DataSource listening;

  private PostgresOptions(
      String locksTable,
      String fencesTable,
      String waitersTable,
      Duration timeout,
      @Nullable DataSource listening) {
    this.locksTable = locksTable;
    this.fencesTable = fencesTable;
    this.waitersTable = waitersTable;
    this.timeout = timeout;
    this.listening = listening;
  }

  /** Returns: the three tables above, 5 s for an operation, and polling over a DataSource. */
  public static PostgresOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with other tables, which must differ and have plain names: letters,
   * digits and underscores, at most 53 of them. They are looked for in the connection's search
   * path.
   */
  public PostgresOptions withTables(String locks, String fences, String waiters) {
    for (String table : new String[] {locks, fences, waiters}) {
      if (!PLAIN_IDENTIFIER.matcher(table).matches()) {
        throw SyncGuardException.invalidArgument(
            "A table's name has letters, digits and underscores only, at most 53, and does not"
                + " begin with a digit");
      }
    }
    if (Stream.of(locks, fences, waiters, expiresIndex(locks)).distinct().count() < 4) {
      throw SyncGuardException.invalidArgument(
          "The three tables must differ, and from the index on the first of them, which is called"
              + " as the table with _expires behind");
    }
    return new PostgresOptions(locks, fences, waiters, timeout, listening);
  }

  /**
   * Returns these options with another time for an operation, after which it fails with
   * NETWORK_TIMEOUT.
   */
  public PostgresOptions withTimeout(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
      throw SyncGuardException.invalidArgument("The timeout is at least 1 ms, not " + timeout);
    }
    return new PostgresOptions(locksTable, fencesTable, waitersTable, timeout, listening);
  }

  /**
   * Returns these options with waiters that are told of a release instead of asking again and
   * again. From the first wait on, one connection of this source is kept for it, which must lead to
   * the server itself and not to a proxy that pools transactions. It may be the pool that the store
   * works with if that has a connection to spare.
   */
  public PostgresOptions withListening(DataSource source) {
    return new PostgresOptions(locksTable, fencesTable, waitersTable, timeout, source);
  }

  PostgresOptions withoutListening() {
    return new PostgresOptions(locksTable, fencesTable, waitersTable, timeout, null);
  }

  /** Returns the table of the locks. */
  public String locksTable() {
    return locksTable;
  }

  /** Returns the table of the fence counters. */
  public String fencesTable() {
    return fencesTable;
  }

  /** Returns the table of those who wait. */
  public String waitersTable() {
    return waitersTable;
  }

  String expiresIndex() {
    return expiresIndex(locksTable);
  }

  private static String expiresIndex(String locksTable) {
    return locksTable + "_expires";
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
