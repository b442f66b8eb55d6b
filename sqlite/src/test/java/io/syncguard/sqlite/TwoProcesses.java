package io.syncguard.sqlite;

import io.syncguard.lock.LockId;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.testkit.sql.Sql;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** A lock, its queue, and two processes that ask for it, one step at a time. */
abstract class TwoProcesses {

  static final String KEY = "caf\u00e9 'quoted' \"twice\" \\ :id ? {locks}";
  static final Duration TOLERANCE = Duration.ofMillis(Liveness.TOLERANCE_MS);

  final SqliteFixture fixture = new SqliteFixture();
  final SqliteStore store = fixture.openClient();
  final SqliteStore otherStore = fixture.openClient();
  final QueueClient client = new QueueClient(store.locks(), ResourceKey.of(KEY));
  final QueueClient other = new QueueClient(otherStore.locks(), ResourceKey.of(KEY));
  final Sql sql = Sql.on(fixture.file());
  final LockId holder = LockId.random();
  final LockId first = LockId.random();
  final LockId second = LockId.random();

  @AfterEach
  void close() {
    store.close();
    otherStore.close();
    fixture.close();
  }

  /** Lets time pass in which the processes of these clients show that they live. */
  void liveThrough(Duration time, QueueClient... living) {
    Duration beat = QueueTimes.BEAT;
    for (Duration left = time; left.compareTo(Duration.ZERO) > 0; left = left.minus(beat)) {
      fixture.time().advance(left.compareTo(beat) < 0 ? left : beat);
      Stream.of(living).forEach(QueueClient::keepWaiting);
    }
  }

  void holdWithFirstAndSecondWaiting() {
    client.take(holder);
    other.join(first);
    client.join(second);
  }

  long rowsOfTheQueue() {
    return sql.number(
        "SELECT (SELECT count(*) FROM syncguard_waiters)"
            + " + (SELECT count(*) FROM syncguard_processes)");
  }

  Duration lifeOfTheLock() {
    return Duration.ofMillis(
        sql.number("SELECT expires_at_ms - acquired_at_ms FROM syncguard_locks"));
  }

  long fence() {
    return Long.parseLong((String) sql.value("SELECT fence FROM syncguard_locks"));
  }
}
