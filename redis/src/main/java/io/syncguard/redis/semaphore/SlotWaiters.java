package io.syncguard.redis.semaphore;

import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.connection.Messages;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The clients of this process that wait for slots, and how they are told of grants: by the answer
 * to a release by this process, by what other processes publish, or by their lists. Thread-safe.
 */
final class SlotWaiters {

  private final SemaphoreLayout layout;
  private final GrantListener listener;
  private final Messages messages;
  private final ConcurrentHashMap<PermitId, SlotWaiter> byId = new ConcurrentHashMap<>();

  /** Connects when the first client waits. */
  SlotWaiters(Connections connections, SemaphoreLayout layout, ScriptRunner runner) {
    this.layout = layout;
    this.listener = new GrantListener(connections, runner, TimeSource.system());
    this.messages = new Messages(connections, layout.channel(), this::granted, this::lookAll);
  }

  /** Notes a client that is about to wait. */
  Watch watch(PermitReference permit, WaiterHints<PermitAttempt.Held> hints) {
    SlotWaiter waiter =
        new SlotWaiter(permit, layout.notification(permit.name(), permit.id()), hints);
    byId.put(permit.id(), waiter);
    return () -> leave(waiter);
  }

  private void leave(SlotWaiter waiter) {
    byId.remove(waiter.permit().id(), waiter);
    listener.leave(waiter);
  }

  /** Returns a client whose watch is open; null if there is none. */
  @Nullable SlotWaiter of(PermitId permit) {
    return byId.get(permit);
  }

  /** Sees to it that a client that is in the queue is told of a grant. */
  void queued(SlotWaiter waiter) {
    messages.start();
    if (messages.isOn()) {
      listener.listenSoon(waiter);
    } else {
      listener.listen(waiter);
    }
  }

  /** Passes on what a script has told of a grant. */
  void granted(String text) {
    GrantNotice.of(text)
        .ifPresent(
            notice -> {
              SlotWaiter waiter = layout.idOf(notice.member()).map(byId::get).orElse(null);
              if (waiter != null) {
                waiter.granted(notice);
              }
            });
  }

  private void lookAll() {
    byId.values().forEach(SlotWaiter::look);
  }

  /** Blocks while Redis forgets clients that left, but not for long: what stays does no harm. */
  void close() {
    messages.close();
    Connections.letEndSoon(listener.leaveAll());
  }
}
