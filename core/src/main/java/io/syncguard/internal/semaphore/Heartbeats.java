package io.syncguard.internal.semaphore;

import io.syncguard.internal.operation.Operations;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends the heartbeats of all waiters and holders of one guard, by one timer, many in one request.
 * What the store answers is passed on, so that a heartbeat also finds grants of which no notice
 * came.
 */
final class Heartbeats {

  private static final int RETRIES_PER_INTERVAL = 4;
  private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

  private record Group(ResourceKey name, Duration timeout) {}

  private final Operations operations;
  private final TimeSource time;
  private final ConcurrentHashMap<PermitId, Beating> members = new ConcurrentHashMap<>();
  private final PollingWaiters polling = new PollingWaiters();
  private TimeSource.@Nullable Timer timer;
  private volatile boolean armed;
  private volatile long firesAt;

  Heartbeats(Operations operations, TimeSource time) {
    this.operations = operations;
    this.time = time;
  }

  void add(Beating member) {
    members.put(member.permit().id(), member);
    polling.add(member);
    long now = time.nanoTime();
    armFor(now, now + nanosToAct(member, now));
  }

  void remove(Beating member) {
    members.remove(member.permit().id(), member);
    polling.remove(member);
  }

  /** Has it ask at once, if it is still there. */
  void beatNow(Beating member) {
    if (members.get(member.permit().id()) == member) {
      long now = time.nanoTime();
      synchronized (this) {
        member.nextBeatAt = now;
      }
      armFor(now, now);
    }
  }

  /** Has these, who live on polling, ask at once: a slot may have become free. */
  void beatNow(ResourceKey name) {
    List<Beating> due = List.copyOf(polling.of(name));
    if (due.isEmpty()) {
      return;
    }
    long now = time.nanoTime();
    synchronized (this) {
      due.forEach(member -> member.nextBeatAt = now + member.intervalNanos());
    }
    send(due, now);
  }

  /** Tells all that this guard is closed, and sends nothing more. */
  void close() {
    Collection<Beating> orphans = List.copyOf(members.values());
    members.clear();
    polling.clear();
    synchronized (this) {
      if (timer != null) {
        timer.cancel();
      }
      armed = false;
    }
    orphans.forEach(orphan -> survive(orphan::orphaned));
  }

  private static long nanosToAct(Beating member, long now) {
    return Math.max(0, Math.min(member.nextBeatAt - now, member.nanosToGiveUp()));
  }

  /** Usually a timer runs that fires early enough, and nothing has to be done. */
  private void armFor(long now, long at) {
    if (armed && firesAt - at <= 0) {
      return;
    }
    synchronized (this) {
      if (armed && firesAt - at <= 0) {
        return;
      }
      if (timer != null) {
        timer.cancel();
      }
      armed = false;
      timer = time.schedule(this::beat, Duration.ofNanos(at - now));
      firesAt = at;
      armed = true;
    }
  }

  private void beat() {
    List<Beating> due = new ArrayList<>();
    List<Beating> late = new ArrayList<>();
    long now;
    synchronized (this) {
      armed = false;
      now = time.nanoTime();
      for (Beating member : members.values()) {
        if (member.nanosToGiveUp() <= 0) {
          late.add(member);
        } else if (isDue(member, now)) {
          member.nextBeatAt = now + member.intervalNanos();
          due.add(member);
        }
      }
    }
    try {
      late.forEach(this::remove);
      late.forEach(member -> survive(member::giveUp));
      send(due, now);
    } finally {
      rearm();
    }
  }

  /** What fails for one must not end the heartbeats of all. */
  private static void survive(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      SemaphoreEngine.LOG.warn("A heartbeat failed", e);
    }
  }

  /** A member that is half way to its next heartbeat joins the others: there are fewer requests. */
  private static boolean isDue(Beating member, long now) {
    return member.nextBeatAt - now <= member.intervalNanos() / 2;
  }

  private void rearm() {
    long now = time.nanoTime();
    long soonest = Long.MAX_VALUE;
    for (Beating member : members.values()) {
      soonest = Math.min(soonest, nanosToAct(member, now));
    }
    if (soonest != Long.MAX_VALUE) {
      armFor(now, now + soonest);
    }
  }

  private void send(List<Beating> due, long askedAt) {
    Map<Group, List<Beating>> groups = new LinkedHashMap<>();
    for (Beating member : due) {
      groups
          .computeIfAbsent(
              new Group(member.permit().name(), member.timeout()), group -> new ArrayList<>())
          .add(member);
    }
    groups.forEach(
        (group, all) -> {
          for (int from = 0; from < all.size(); from += SemaphoreOperation.Ping.MOST_PERMITS) {
            int to = Math.min(all.size(), from + SemaphoreOperation.Ping.MOST_PERMITS);
            send(group, all.subList(from, to), askedAt);
          }
        });
  }

  private void send(Group group, List<Beating> batch, long askedAt) {
    List<PermitId> ids = batch.stream().map(member -> member.permit().id()).toList();
    operations
        .begin(new SemaphoreOperation.Ping(group.name(), ids, group.timeout()), Call.plain())
        .whenComplete(
            (states, failure) -> {
              if (failure == null) {
                answered(batch, states, askedAt);
              } else {
                retrySoon(batch);
              }
            });
  }

  private static void answered(List<Beating> batch, List<PermitState> states, long askedAt) {
    for (int i = 0; i < batch.size(); i++) {
      Beating member = batch.get(i);
      PermitState state = states.get(i);
      survive(() -> member.answered(state, askedAt));
    }
  }

  private void retrySoon(List<Beating> batch) {
    long now = time.nanoTime();
    long soonest = Long.MAX_VALUE;
    synchronized (this) {
      for (Beating member : batch) {
        long time = Math.min(member.intervalNanos(), member.nanosToGiveUp());
        long pause = Math.max(time / RETRIES_PER_INTERVAL, SHORTEST_PAUSE_NANOS);
        member.nextBeatAt = now + pause;
        soonest = Math.min(soonest, pause);
      }
    }
    armFor(now, now + soonest);
  }
}
