package io.syncguard.sql;

import io.syncguard.spi.Store;
import io.syncguard.testkit.MovableTime;
import io.syncguard.testkit.StoreFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/** A SQLite file of its own, with a clock that can be moved. */
final class SqliteFixture implements StoreFixture {

  private final Path directory;
  private final MovableTime time = MovableTime.flowing();

  SqliteFixture() {
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
  public Store openClient() {
    return SqliteStore.open(new SqliteFile(file(), SqliteFile.DEFAULT_BUSY_TIMEOUT), time);
  }

  @Override
  public MovableTime time() {
    return time;
  }

  @Override
  public void passTime(Duration duration) {
    time.advance(duration);
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
