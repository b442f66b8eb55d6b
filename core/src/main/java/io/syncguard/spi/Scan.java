package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import java.util.List;
import java.util.Optional;

/**
 * A walk through what a store holds, a page at a time: it never loads everything, and others go on
 * meanwhile. Not thread-safe.
 *
 * <p>What is alive from the beginning to the end of the walk is on its pages, if the store changes
 * meanwhile perhaps twice. What comes or goes may be there or not. What has expired or is damaged
 * is left out.
 *
 * @param <T> what is found
 */
public interface Scan<T> {

  /**
   * Blocks for the next page; empty when there is none. A page may have nothing on it although more
   * follow.
   *
   * @throws SyncGuardException if the store fails, or with code ABORTED when cancelled or
   *     interrupted
   */
  Optional<List<T>> next(CancelSignal signal);
}
