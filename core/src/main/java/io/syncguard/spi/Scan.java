package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import java.util.List;
import java.util.Optional;

/**
 * A walk through what a store holds, a page at a time, that never loads everything and never blocks
 * others for long. Not thread-safe.
 *
 * <p>What is there and alive during the whole walk is on one of its pages, and on a store that is
 * being changed perhaps on two. What comes or goes meanwhile may be on one or not. What is damaged
 * is left out.
 *
 * @param <T> what is found
 */
public interface Scan<T> {

  /**
   * Blocks for the next page; empty when there is none. A page may have nothing on it although more
   * follow.
   *
   * @throws SyncGuardException as the store fails
   */
  Optional<List<T>> next(CancelSignal signal);
}
