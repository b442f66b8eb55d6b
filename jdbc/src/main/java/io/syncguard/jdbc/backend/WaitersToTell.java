package io.syncguard.jdbc.backend;

import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The waiters of this process that want to be told, by their ids. Thread-safe. */
public final class WaitersToTell {

  private final ConcurrentHashMap<String, Interest> byId = new ConcurrentHashMap<>();

  /**
   * Notes a waiter and returns at once.
   *
   * @param told whether the store tells of changes now
   */
  public Watch add(String id, WaiterHints<Granted> hints, BooleanSupplier told) {
    Interest interest = new Interest(id, hints, told);
    byId.put(id, interest);
    return interest;
  }

  /** Tells a waiter to look. */
  public void look(String id) {
    tell(id, WaiterHints::look);
  }

  /** Tells all waiters to look. */
  public void lookAll() {
    byId.keySet().forEach(this::look);
  }

  /** Tells a waiter of its grant. */
  public void granted(String id, Granted grant) {
    tell(id, hints -> hints.granted(grant));
  }

  private void tell(String id, Consumer<WaiterHints<Granted>> telling) {
    Interest interest = byId.get(id);
    if (interest != null) {
      telling.accept(interest.hints);
    }
  }

  /** Returns at once who is to be told now. */
  public List<String> ids() {
    return List.copyOf(byId.keySet());
  }

  /** Returns at once whether there is none. */
  public boolean isEmpty() {
    return byId.isEmpty();
  }

  private final class Interest implements Watch {

    private final String id;
    private final WaiterHints<Granted> hints;
    private final BooleanSupplier told;

    Interest(String id, WaiterHints<Granted> hints, BooleanSupplier told) {
      this.id = id;
      this.hints = hints;
      this.told = told;
    }

    @Override
    public boolean isTold() {
      return told.getAsBoolean();
    }

    @Override
    public void close() {
      byId.remove(id, this);
    }
  }
}
