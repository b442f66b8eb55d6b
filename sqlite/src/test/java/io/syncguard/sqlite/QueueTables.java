package io.syncguard.sqlite;

import io.syncguard.testkit.sql.Sql;
import java.nio.file.Path;

/** What a version that knew no queue of locks did not create. */
final class QueueTables {

  private QueueTables() {}

  static void drop(Path file) {
    Sql sql = Sql.on(file);
    sql.execute("DROP TABLE syncguard_waiters");
    sql.execute("DROP TABLE syncguard_processes");
    sql.execute("DROP INDEX syncguard_locks_granted");
  }
}
