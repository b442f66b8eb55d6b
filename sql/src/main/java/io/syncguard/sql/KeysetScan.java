package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.spi.Scan;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A walk in the order of a table's key: each page begins after the last key of the one before. */
final class KeysetScan<T> implements Scan<T> {

  /**
   * A page.
   *
   * @param found what is on it
   * @param last the last key that was looked at
   */
  record Batch<T>(List<T> found, String last) {}

  /** Asks for the page after a key. */
  interface Reading<T> {

    /** Returns null if there is nothing after that key. */
    @Nullable Batch<T> after(String key, CancelSignal signal);
  }

  private final Reading<T> reading;
  private String last = "";

  KeysetScan(Reading<T> reading) {
    this.reading = reading;
  }

  @Override
  public Optional<List<T>> next(CancelSignal signal) {
    Batch<T> batch = reading.after(last, signal);
    if (batch == null) {
      return Optional.empty();
    }
    last = batch.last();
    return Optional.of(batch.found());
  }
}
