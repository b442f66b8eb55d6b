package io.syncguard.sql;

import io.syncguard.SyncGuardException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What our tables are called, and all that is called after them. */
record PostgresTables(
    String locks, String fences, String waiters, String semaphores, String permits) {

  /** Room is left for the names of indexes and of functions. */
  private static final Pattern PLAIN_IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,52}");

  /** How long a name may go without bookkeeping. */
  private static final int UPKEEP_MS = 100;

  PostgresTables {
    List<String> tables = List.of(locks, fences, waiters, semaphores, permits);
    for (String table : tables) {
      if (!PLAIN_IDENTIFIER.matcher(table).matches()) {
        throw SyncGuardException.invalidArgument(
            "A table's name has letters, digits and underscores only, at most 53, and does not"
                + " begin with a digit");
      }
    }
    List<String> indexes = List.of(expires(locks), queue(permits), deadline(permits));
    if (Stream.of(tables, indexes).flatMap(List::stream).distinct().count() < 8) {
      throw SyncGuardException.invalidArgument(
          "All tables must differ, and from the indexes, which are called as the locks' table with"
              + " _expires behind and the permits' table with _queue and _deadline behind");
    }
  }

  private static String expires(String locks) {
    return locks + "_expires";
  }

  private static String queue(String permits) {
    return permits + "_queue";
  }

  private static String deadline(String permits) {
    return permits + "_deadline";
  }

  /** Returns what stands for what in the scripts. */
  Map<String, String> constants() {
    Map<String, String> names = new HashMap<>();
    names.put("locks", locks);
    names.put("fences", fences);
    names.put("waiters", waiters);
    names.put("expires_index", expires(locks));
    names.put("acquire", locks + "_acquire_1");
    names.put("release", locks + "_release_1");
    names.put("extend", locks + "_extend_1");
    names.put("semaphores", semaphores);
    names.put("permits", permits);
    names.put("queue_index", queue(permits));
    names.put("deadline_index", deadline(permits));
    names.put("grant", semaphores + "_grant_1");
    names.put("settle", semaphores + "_settle_1");
    names.put("acquire_permit", semaphores + "_acquire_1");
    names.put("release_permit", semaphores + "_release_1");
    names.put("ping_permits", semaphores + "_ping_1");
    names.put("resize_semaphore", semaphores + "_resize_1");
    names.put("sweep_semaphores", semaphores + "_sweep_1");
    names.replaceAll((constant, name) -> '"' + name + '"');
    names.put("now_ms", "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    names.put("now_us", "floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
    names.put("upkeep_ms", Integer.toString(UPKEEP_MS));
    return names;
  }
}
