package io.syncguard.postgresql.queue;

/** On the newest PostgreSQL. */
class PostgresQueueTest extends QueueSuite {

  PostgresQueueTest() {
    super(18);
  }
}
