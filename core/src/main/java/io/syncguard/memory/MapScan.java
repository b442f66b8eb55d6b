package io.syncguard.memory;

import io.syncguard.CancelSignal;
import io.syncguard.spi.Scan;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A walk through a concurrent map, whose iterators need no copy of it. */
final class MapScan<E, T> implements Scan<T> {

  private static final int PAGE = 500;

  private final MemoryPart part;
  private final Iterator<E> entries;
  private final Function<E, Optional<T>> reading;

  MapScan(MemoryPart part, Iterator<E> entries, Function<E, Optional<T>> reading) {
    this.part = part;
    this.entries = entries;
    this.reading = reading;
  }

  @Override
  public Optional<List<T>> next(CancelSignal signal) {
    part.begin(signal);
    if (!entries.hasNext()) {
      return Optional.empty();
    }
    List<T> page = new ArrayList<>();
    for (int seen = 0; seen < PAGE && entries.hasNext(); seen++) {
      reading.apply(entries.next()).ifPresent(page::add);
    }
    return Optional.of(page);
  }
}
