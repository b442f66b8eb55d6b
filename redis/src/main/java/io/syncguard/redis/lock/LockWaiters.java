package io.syncguard.redis.lock;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockId;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.connection.Messages;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * This process's waiters, to pass on what scripts tell them: a waiter's lockId, and behind it what
 * its grant says, or nothing if it is only to look. Thread-safe.
 */
final class LockWaiters {

  private static final int ID_LENGTH = 22;

  private final Connections connections;
  private final Messages messages;
  private final ConcurrentHashMap<String, Waiter> byLockId = new ConcurrentHashMap<>();

  /** Hears nothing yet. */
  LockWaiters(Connections connections, String channel) {
    this.connections = connections;
    this.messages = new Messages(connections, channel, this::told, this::lookAll);
  }

  Watch watch(LockId lockId, String lockKey, WaiterHints<AcquireAttempt.Granted> hints) {
    Waiter waiter = new Waiter(lockId.value(), lockKey, hints);
    byLockId.put(lockId.value(), waiter);
    return waiter;
  }

  /**
   * Sees to it that messages are heard; there is no connection for them before the first waiter.
   */
  void listen() {
    messages.start();
  }

  /** Passes on what a script tells. As a message it may come from any client that may publish. */
  void told(String text) {
    Waiter waiter = text.length() < ID_LENGTH ? null : byLockId.get(text.substring(0, ID_LENGTH));
    if (waiter != null) {
      waiter.told(text.substring(ID_LENGTH));
    }
  }

  private void lookAll() {
    byLockId.values().forEach(waiter -> waiter.hints.look());
  }

  /** Notes that a waiter is the first in its queue. */
  void isFirst(LockId lockId) {
    Waiter waiter = byLockId.get(lockId.value());
    if (waiter != null) {
      waiter.watchRecord();
    }
  }

  /** Notes that, besides, another library's client holds the lock. */
  void isFirstBehindForeign(LockId lockId) {
    Waiter waiter = byLockId.get(lockId.value());
    if (waiter != null) {
      waiter.behindForeign = true;
      waiter.watchRecord();
    }
  }

  /** Blocks until nothing is heard any more, but not for long. */
  void close() {
    messages.close();
  }

  private final class Waiter implements Watch {

    private final String lockId;
    private final String lockKey;
    private final WaiterHints<AcquireAttempt.Granted> hints;
    private @Nullable RecordWatch record;
    private boolean closed;
    private volatile boolean behindForeign;

    Waiter(String lockId, String lockKey, WaiterHints<AcquireAttempt.Granted> hints) {
      this.lockId = lockId;
      this.lockKey = lockKey;
      this.hints = hints;
    }

    void told(String tail) {
      if (tail.isEmpty()) {
        hints.look();
        return;
      }
      AcquireAttempt.Granted grant;
      try {
        grant = RecordText.granted(tail);
      } catch (SyncGuardException e) {
        hints.look();
        return;
      }
      hints.granted(grant);
    }

    synchronized void watchRecord() {
      if (!closed && record == null) {
        record = new RecordWatch(connections, lockKey, this::changed, hints::look);
      }
    }

    /**
     * A change is a release rather than an extension if another library's client holds the lock,
     * which a poll of others may take meanwhile. Where no messages are heard, it may be a grant.
     */
    private void changed() {
      if (behindForeign || !messages.isOn()) {
        behindForeign = false;
        hints.look();
      }
    }

    @Override
    public boolean isTold() {
      return !messages.isRefused();
    }

    @Override
    public synchronized void close() {
      byLockId.remove(lockId, this);
      closed = true;
      if (record != null) {
        record.close();
      }
    }
  }
}
