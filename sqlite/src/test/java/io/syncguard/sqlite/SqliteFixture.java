package io.syncguard.sqlite;

import io.syncguard.test.MovableTime;
import io.syncguard.testkit.StoreFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/** A new SQLite file, with a clock that can be moved. */
public final class SqliteFixture implements StoreFixture {

  /** The shortest time that is not waited for. */
  private static final Duration LEAP = Duration.ofSeconds(1);

  private final Path directory;
  private final MovableTime time = MovableTime.flowing();

  public SqliteFixture() {
    try {
      directory = Files.createTempDirectory("syncguard-sqlite");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path file() {
    return directory.resolve("locks.db");
  }

  @Override
  public SqliteStore openClient() {
    return SqliteStore.open(new SqliteFile(file(), SqliteFile.DEFAULT_BUSY_TIMEOUT), time);
  }

  @Override
  public MovableTime time() {
    return time;
  }

  /**
   * A short time passes by itself: heartbeats go through other threads, which several leaps in a
   * row would leave behind.
   */
  @Override
  public void passTime(Duration duration) throws InterruptedException {
    if (duration.compareTo(LEAP) < 0) {
      Thread.sleep(duration.toMillis());
    } else {
      time.advance(duration);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
