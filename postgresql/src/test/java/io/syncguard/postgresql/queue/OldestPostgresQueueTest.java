package io.syncguard.postgresql.queue;

/** On the oldest PostgreSQL that is supported. */
class OldestPostgresQueueTest extends QueueSuite {

  OldestPostgresQueueTest() {
    super(15);
  }
}
