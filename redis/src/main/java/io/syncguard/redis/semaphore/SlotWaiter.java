package io.syncguard.redis.semaphore;

import io.syncguard.redis.connection.Connections;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A client of this process that may wait for a slot, until its watch is closed. Thread-safe. */
final class SlotWaiter {

  private final PermitReference permit;
  private final String list;
  private final WaiterHints<PermitAttempt.Held> hints;
  private volatile @Nullable Duration ttl;
  private @Nullable Watch listWatch;
  private boolean closed;

  /**
   * Waits for nothing yet.
   *
   * @param list where a client of the reference would look for its grant
   */
  SlotWaiter(PermitReference permit, String list, WaiterHints<PermitAttempt.Held> hints) {
    this.permit = permit;
    this.list = list;
    this.hints = hints;
  }

  PermitReference permit() {
    return permit;
  }

  ResourceKey name() {
    return permit.name();
  }

  String list() {
    return list;
  }

  /** Notes that it asks for a slot, to be held for this long. */
  void asks(Duration ttl) {
    this.ttl = ttl;
  }

  void look() {
    hints.look();
  }

  void granted(GrantNotice notice) {
    Duration asked = ttl;
    if (asked == null) {
      hints.look();
    } else {
      hints.granted(notice.heldFor(asked));
    }
  }

  /**
   * Looks from now on when its list changes; returns false if it waits no more, or if Redis tells
   * this client of no changes.
   */
  synchronized boolean watchList(Connections connections) {
    if (listWatch == null && !closed) {
      listWatch = connections.watch(list, hints::look).orElse(null);
    }
    return listWatch != null;
  }

  /** Ends its interest; returns whether its list was watched. */
  synchronized boolean close() {
    closed = true;
    if (listWatch == null) {
      return false;
    }
    listWatch.close();
    listWatch = null;
    return true;
  }
}
