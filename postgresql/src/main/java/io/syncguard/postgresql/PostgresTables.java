package io.syncguard.postgresql;

import static io.syncguard.postgresql.PostgresTable.COUNTERS;
import static io.syncguard.postgresql.PostgresTable.LIMITERS;
import static io.syncguard.postgresql.PostgresTable.LOCKS;
import static io.syncguard.postgresql.PostgresTable.PERMITS;
import static io.syncguard.postgresql.PostgresTable.SECRETS;
import static io.syncguard.postgresql.PostgresTable.SEMAPHORES;
import static io.syncguard.postgresql.PostgresTable.WAITERS;

import io.syncguard.SyncGuardException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What SyncGuard's tables are called, and all that is called after them.
 *
 * @param renamed the tables that have another name than by default
 */
record PostgresTables(Map<PostgresTable, String> renamed) {

  /** Room is left for the names of indexes and of functions. */
  private static final Pattern PLAIN_IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,52}");

  /** How long a name may go without bookkeeping. */
  private static final int UPKEEP_MS = 100;

  /** How long an idle rate limiter is kept. */
  private static final int KEEP_IDLE_MS = 60_000;

  /**
   * How full PostgreSQL's queue of notifications may be before waiters are no longer notified. A
   * commit that finds no room fails, so some is left for those that commit at the same time.
   */
  private static final double FULLEST_QUEUE = 0.9;

  static final PostgresTables DEFAULTS = new PostgresTables(Map.of());

  PostgresTables {
    renamed = Map.copyOf(renamed);
    for (String name : renamed.values()) {
      if (!PLAIN_IDENTIFIER.matcher(name).matches()) {
        throw SyncGuardException.invalidArgument(
            "A table's name has letters, digits and underscores only, at most 53, and does not"
                + " begin with a digit");
      }
    }
    refuseCollisions(renamed);
  }

  private static void refuseCollisions(Map<PostgresTable, String> renamed) {
    List<String> names = new ArrayList<>(indexes(renamed).values());
    for (PostgresTable table : PostgresTable.values()) {
      names.add(name(table, renamed));
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw SyncGuardException.invalidArgument(
          "All tables must differ, and from the indexes, which are called as some tables with"
              + " _expires, _queue or _deadline behind");
    }
  }

  private static Map<String, String> indexes(Map<PostgresTable, String> renamed) {
    return Map.of(
        "expires_index", name(LOCKS, renamed) + "_expires",
        "places_index", name(WAITERS, renamed) + "_queue",
        "queue_index", name(PERMITS, renamed) + "_queue",
        "deadline_index", name(PERMITS, renamed) + "_deadline",
        "secrets_index", name(SECRETS, renamed) + "_expires",
        "counters_index", name(COUNTERS, renamed) + "_expires",
        "limiters_index", name(LIMITERS, renamed) + "_expires");
  }

  private static String name(PostgresTable table, Map<PostgresTable, String> renamed) {
    return renamed.getOrDefault(table, table.defaultName());
  }

  String name(PostgresTable table) {
    return name(table, renamed);
  }

  /** Returns these with other names for some. */
  PostgresTables with(Map<PostgresTable, String> names) {
    Map<PostgresTable, String> all = new HashMap<>(renamed);
    all.putAll(names);
    return new PostgresTables(all);
  }

  /** Returns what stands for what in the scripts. */
  Map<String, String> constants() {
    Map<String, String> names = new HashMap<>(indexes(renamed));
    for (PostgresTable table : PostgresTable.values()) {
      names.put(table.constant(), name(table));
    }
    names.put("acquire_without_queue", name(LOCKS) + "_acquire_1");
    names.put("release_without_queue", name(LOCKS) + "_release_1");
    names.put("acquire", name(LOCKS) + "_acquire_2");
    names.put("release", name(LOCKS) + "_release_2");
    names.put("extend", name(LOCKS) + "_extend_1");
    names.put("take_lock", name(LOCKS) + "_take_1");
    names.put("grant_lock", name(LOCKS) + "_grant_1");
    names.put("keep_waiting", name(LOCKS) + "_wait_1");
    names.put("note_life", name(LOCKS) + "_live_1");
    names.put("join_queue", name(LOCKS) + "_join_1");
    names.put("leave_queue", name(LOCKS) + "_leave_1");
    names.put("move_head", name(LOCKS) + "_head_1");
    names.put("first_waiter", name(LOCKS) + "_first_1");
    names.put("sweep_queues", name(LOCKS) + "_sweep_1");
    names.put("grant", name(SEMAPHORES) + "_grant_1");
    names.put("settle", name(SEMAPHORES) + "_settle_1");
    names.put("acquire_permit", name(SEMAPHORES) + "_acquire_1");
    names.put("release_permit", name(SEMAPHORES) + "_release_1");
    names.put("ping_permits", name(SEMAPHORES) + "_ping_1");
    names.put("resize_semaphore", name(SEMAPHORES) + "_resize_1");
    names.put("sweep_semaphores", name(SEMAPHORES) + "_sweep_1");
    names.put("view_secret", name(SECRETS) + "_view_1");
    names.put("burn_secret", name(SECRETS) + "_burn_1");
    names.put("increment_counter", name(COUNTERS) + "_count_1");
    names.put("acquire_rate", name(LIMITERS) + "_acquire_1");
    names.replaceAll((constant, name) -> '"' + name + '"');
    names.put("now_ms", "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    names.put("now_us", "floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
    names.put("upkeep_ms", Integer.toString(UPKEEP_MS));
    names.put("keep_idle_ms", Integer.toString(KEEP_IDLE_MS));
    names.put("can_notify", "pg_notification_queue_usage() < " + FULLEST_QUEUE);
    return names;
  }
}
