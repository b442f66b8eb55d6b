package io.syncguard.memory;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.GrantLease;
import io.syncguard.spi.Heartbeat;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who holds the slots of one name and who waits for them. Joining and leaving take a time that
 * hardly grows with the queue. Not thread-safe.
 */
final class SemaphoreState {

  private final Map<PermitId, Claim> claims = new HashMap<>();

  /** Those who wait, in order of arrival, which is the order of their tickets. */
  private final LinkedHashMap<PermitId, Claim> queue = new LinkedHashMap<>();

  /** Whose time is over first. A claim's deadline changes only while it is not in here. */
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

  /** Returns who was granted a slot since this was asked last, to be hinted. */
  List<PermitId> takeGranted() {
    if (granted.isEmpty()) {
      return List.of();
    }
    List<PermitId> taken = List.copyOf(granted);
    granted.clear();
    return taken;
  }

  /** Forgets the dead and grants what is free to whoever is first in the queue. */
  void settle(long nowMs) {
    while (!byDeadline.isEmpty() && byDeadline.first().deadlineMs < nowMs) {
      remove(byDeadline.first());
    }
    while (taken < limit && !queue.isEmpty()) {
      grant(queue.values().iterator().next(), nowMs);
    }
  }

  PermitAttempt acquire(PermitRequest request, long nowMs) {
    settle(nowMs);
    Claim claim = claims.get(request.permit().id());
    if (claim == null) {
      return admit(request, nowMs);
    }
    if (claim.state == Claim.State.WAITING && !request.waits()) {
      remove(claim);
      return new PermitAttempt.Busy();
    }
    if (claim.state == Claim.State.GRANTED) {
      hold(claim, request, nowMs);
    }
    keepAlive(claim, request.heartbeatTimeout(), nowMs);
    return answer(claim);
  }

  private PermitAttempt admit(PermitRequest request, long nowMs) {
    if (isUnused()) {
      limit = request.limit();
    } else if (limit != request.limit()) {
      return new PermitAttempt.LimitDiffers(limit);
    }
    boolean free = taken < limit;
    if (!free && !request.waits()) {
      return new PermitAttempt.Busy();
    }
    lastTicket = Math.max(Duration.ofMillis(nowMs).toNanos() / 1000, lastTicket + 1);
    Claim claim = new Claim(request.permit().id(), lastTicket, nowMs);
    claims.put(claim.id, claim);
    if (free) {
      taken++;
      hold(claim, request, nowMs);
    } else {
      queue.put(claim.id, claim);
    }
    keepAlive(claim, request.heartbeatTimeout(), nowMs);
    return answer(claim);
  }

  private static PermitAttempt answer(Claim claim) {
    return claim.state == Claim.State.HELD
        ? new PermitAttempt.Held(claim.slot, claim.expiresAt())
        : new PermitAttempt.Waiting(claim.ticket);
  }

  private void hold(Claim claim, PermitRequest request, long nowMs) {
    claim.state = Claim.State.HELD;
    claim.slot = taken;
    claim.expiresAtMs = nowMs + request.ttl().toMillis();
  }

  private void grant(Claim claim, long nowMs) {
    queue.remove(claim.id);
    claim.state = Claim.State.GRANTED;
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

  List<PermitState> ping(Heartbeat heartbeat, long nowMs) {
    settle(nowMs);
    List<PermitState> states = new ArrayList<>(heartbeat.permits().size());
    for (PermitId id : heartbeat.permits()) {
      Claim claim = claims.get(id);
      if (claim != null) {
        keepAlive(claim, heartbeat.timeout(), nowMs);
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
