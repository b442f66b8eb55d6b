package io.syncguard.postgresql;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** SyncGuard's tables in PostgreSQL, and what they are called by default. */
enum PostgresTable {
  LOCKS(PostgresOptions.DEFAULT_LOCKS_TABLE),
  FENCES(PostgresOptions.DEFAULT_FENCES_TABLE),
  QUEUES(PostgresOptions.DEFAULT_QUEUES_TABLE),
  WAITERS(PostgresOptions.DEFAULT_WAITERS_TABLE),
  PROCESSES(PostgresOptions.DEFAULT_PROCESSES_TABLE),
  SEMAPHORES(PostgresOptions.DEFAULT_SEMAPHORES_TABLE),
  PERMITS(PostgresOptions.DEFAULT_PERMITS_TABLE),
  SECRETS(PostgresOptions.DEFAULT_SECRETS_TABLE),
  PAYLOADS(PostgresOptions.DEFAULT_PAYLOADS_TABLE),
  COUNTERS(PostgresOptions.DEFAULT_COUNTERS_TABLE),
  LIMITERS(PostgresOptions.DEFAULT_LIMITERS_TABLE);

  private final String defaultName;

  PostgresTable(String defaultName) {
    this.defaultName = defaultName;
  }

  String defaultName() {
    return defaultName;
  }

  /** Returns what stands for it in the scripts. */
  String constant() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the URI's parameter that names it. */
  String parameter() {
    return constant() + "Table";
  }

  static Optional<PostgresTable> ofParameter(String name) {
    return Arrays.stream(values())
        .filter(table -> table.parameter().equalsIgnoreCase(name))
        .findFirst();
  }
}
