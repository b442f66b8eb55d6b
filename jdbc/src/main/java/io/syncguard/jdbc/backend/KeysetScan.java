package io.syncguard.jdbc.backend;

import io.syncguard.CancelSignal;
import io.syncguard.spi.Call;
import io.syncguard.spi.Scan;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A walk in the order of a table's key: each page begins after the last key of the one before. */
final class KeysetScan<T> implements Scan<T> {

  static final int ROWS_AT_A_TIME = 500;

  /**
   * What was read at once.
   *
   * @param found what of it belongs into the list
   * @param last the last key of it, listed or not
   */
  record Page<T>(List<T> found, String last) {}

  /** Reads a page. */
  interface Reading<T> {

    /** Returns null if there is nothing after that key. */
    @Nullable Page<T> after(String key, Call call);
  }

  private final Reading<T> reading;
  private String last = "";

  KeysetScan(Reading<T> reading) {
    this.reading = reading;
  }

  @Override
  public Optional<List<T>> next(CancelSignal signal) {
    return next(Call.of(signal));
  }

  Optional<List<T>> next(Call call) {
    Page<T> page = reading.after(last, call);
    if (page == null) {
      return Optional.empty();
    }
    last = page.last();
    return Optional.of(page.found());
  }
}
