package io.syncguard.testkit.lock;

import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a store has told a waiter for a lock. Thread-safe. */
public final class Notices implements WaiterHints<Granted> {

  private final List<Granted> grants = new CopyOnWriteArrayList<>();
  private volatile boolean toldAnything;

  /** Nothing yet. */
  public Notices() {}

  @Override
  public void look() {
    toldAnything = true;
  }

  @Override
  public void granted(Granted grant) {
    grants.add(grant);
    toldAnything = true;
  }

  /** Returns the grants that it was told of. */
  public List<Granted> grants() {
    return List.copyOf(grants);
  }

  /** Returns whether it was told anything at all. */
  public boolean toldAnything() {
    return toldAnything;
  }
}
