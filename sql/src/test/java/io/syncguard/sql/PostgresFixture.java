package io.syncguard.sql;

import io.syncguard.testkit.MovableTime;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.PostgresDatabase;

/** A database of its own on a real PostgreSQL, with our tables. */
final class PostgresFixture implements StoreFixture {

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
  public void close() {
    database.close();
  }
}
