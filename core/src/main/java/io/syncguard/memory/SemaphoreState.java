package io.syncguard.memory;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.GrantLease;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The holders of the slots of one name, and the waiters for them. Joining and leaving take a time
 * that hardly grows with the queue. Not thread-safe.
 */
final class SemaphoreState {

  private enum Standing {
    WAITING,
    GRANTED,
    HELD
  }

  /** A permit that waits for a slot, was granted one, or holds it. */
  private static final class Claim {

    private final PermitId id;
    private final long ticket;
    private final long sinceMs;

    /** Of those with the same deadline the smaller ticket is first. */
    private long deadlineMs;

    private Standing standing = Standing.WAITING;
    private long expiresAtMs = Long.MAX_VALUE;
    private int slot;

    Claim(PermitId id, long ticket, long sinceMs) {
      this.id = id;
      this.ticket = ticket;
      this.sinceMs = sinceMs;
    }

    boolean takesSlot() {
      return standing != Standing.WAITING;
    }
  }

  private final Map<PermitId, Claim> claims = new HashMap<>();

  /** The waiters, in order of arrival, which is the order of their tickets. */
  private final LinkedHashMap<PermitId, Claim> queue = new LinkedHashMap<>();

  /** By whose time is over first. A claim's deadline changes only while it is not in here. */
  private final TreeSet<Claim> byDeadline =
      new TreeSet<>(
          Comparator.<Claim>comparingLong(claim -> claim.deadlineMs)
              .thenComparingLong(claim -> claim.ticket));

  private final List<PermitId> granted = new ArrayList<>();
  private int limit;
  private int taken;
  private long lastTicket;

  SemaphoreState(int limit) {
    this.limit = limit;
  }

  boolean isUnused() {
    return claims.isEmpty();
  }

  /** Returns the waiters that were granted a slot since this was asked last, to be hinted. */
  List<PermitId> takeGranted() {
    if (granted.isEmpty()) {
      return List.of();
    }
    List<PermitId> taken = List.copyOf(granted);
    granted.clear();
    return taken;
  }

  /** Forgets the dead and grants what is free to the first in the queue. */
  void settle(long nowMs) {
    while (!byDeadline.isEmpty() && byDeadline.first().deadlineMs < nowMs) {
      remove(byDeadline.first());
    }
    while (taken < limit && !queue.isEmpty()) {
      grant(queue.values().iterator().next(), nowMs);
    }
  }

  PermitAttempt acquire(SemaphoreOperation.Acquire acquire, long nowMs) {
    settle(nowMs);
    Claim claim = claims.get(acquire.permit().id());
    if (claim == null) {
      return admit(acquire, nowMs);
    }
    if (claim.standing == Standing.WAITING && !acquire.waits()) {
      remove(claim);
      return new PermitAttempt.Busy();
    }
    if (claim.standing == Standing.GRANTED) {
      hold(claim, acquire, nowMs);
    }
    keepAlive(claim, acquire.heartbeatTimeout(), nowMs);
    return answer(claim);
  }

  private PermitAttempt admit(SemaphoreOperation.Acquire acquire, long nowMs) {
    if (isUnused()) {
      limit = acquire.limit();
    } else if (limit != acquire.limit()) {
      return new PermitAttempt.LimitDiffers(limit);
    }
    boolean free = taken < limit;
    if (!free && !acquire.waits()) {
      return new PermitAttempt.Busy();
    }
    lastTicket = Math.max(Duration.ofMillis(nowMs).toNanos() / 1000, lastTicket + 1);
    Claim claim = new Claim(acquire.permit().id(), lastTicket, nowMs);
    claims.put(claim.id, claim);
    if (free) {
      taken++;
      hold(claim, acquire, nowMs);
    } else {
      queue.put(claim.id, claim);
    }
    keepAlive(claim, acquire.heartbeatTimeout(), nowMs);
    return answer(claim);
  }

  private static PermitAttempt answer(Claim claim) {
    return claim.standing == Standing.HELD
        ? new PermitAttempt.Held(claim.slot, Instant.ofEpochMilli(claim.expiresAtMs))
        : new PermitAttempt.Waiting(claim.ticket);
  }

  private void hold(Claim claim, SemaphoreOperation.Acquire acquire, long nowMs) {
    claim.standing = Standing.HELD;
    claim.slot = taken;
    claim.expiresAtMs = nowMs + acquire.ttl().toMillis();
  }

  private void grant(Claim claim, long nowMs) {
    queue.remove(claim.id);
    claim.standing = Standing.GRANTED;
    taken++;
    reschedule(claim, GrantLease.endMs(nowMs, claim.deadlineMs));
    granted.add(claim.id);
  }

  private void keepAlive(Claim claim, Duration timeout, long nowMs) {
    reschedule(claim, Math.min(nowMs + timeout.toMillis(), claim.expiresAtMs));
  }

  private void reschedule(Claim claim, long deadlineMs) {
    byDeadline.remove(claim);
    claim.deadlineMs = deadlineMs;
    byDeadline.add(claim);
  }

  private void remove(Claim claim) {
    claims.remove(claim.id);
    queue.remove(claim.id);
    byDeadline.remove(claim);
    if (claim.takesSlot()) {
      taken--;
    }
  }

  PermitReleaseResult release(PermitId id, long nowMs) {
    settle(nowMs);
    Claim claim = claims.get(id);
    if (claim == null) {
      return PermitReleaseResult.NOT_FOUND;
    }
    remove(claim);
    settle(nowMs);
    return claim.takesSlot() ? PermitReleaseResult.RELEASED : PermitReleaseResult.LEFT_QUEUE;
  }

  List<PermitState> ping(SemaphoreOperation.Ping ping, long nowMs) {
    settle(nowMs);
    List<PermitState> states = new ArrayList<>(ping.permits().size());
    for (PermitId id : ping.permits()) {
      Claim claim = claims.get(id);
      if (claim != null) {
        keepAlive(claim, ping.timeout(), nowMs);
      }
      states.add(state(claim));
    }
    return states;
  }

  private static PermitState state(@Nullable Claim claim) {
    if (claim == null) {
      return PermitState.GONE;
    }
    return claim.takesSlot() ? PermitState.HOLDING : PermitState.WAITING;
  }

  boolean resize(int newLimit, long nowMs) {
    settle(nowMs);
    if (isUnused()) {
      return false;
    }
    limit = newLimit;
    settle(nowMs);
    return true;
  }

  /** Returns how this is used, without the dead, which it does not forget. */
  SemaphoreStats stats(ResourceKey name, long nowMs) {
    int dead = 0;
    int deadWaiting = 0;
    for (Claim claim : byDeadline) {
      if (claim.deadlineMs >= nowMs) {
        break;
      }
      dead++;
      deadWaiting += claim.takesSlot() ? 0 : 1;
    }
    Duration longest = Duration.ZERO;
    for (Claim first : queue.values()) {
      if (first.deadlineMs >= nowMs) {
        longest = Duration.ofMillis(nowMs - first.sinceMs);
        break;
      }
    }
    return new SemaphoreStats(
        name.value(), taken - (dead - deadWaiting), limit, queue.size() - deadWaiting, longest);
  }
}
