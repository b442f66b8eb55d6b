package io.syncguard.redis;

import io.syncguard.spi.GrantLease;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * This process's own waiters, who can inherit a slot: a release names the first of them, and if
 * Redis finds it to be the first of all, it holds the slot in the same step. Then neither a
 * notification nor a confirmation has to travel.
 *
 * <p>If it is known to be the first of all, it begins at once, in the place of who releases, and
 * Redis is told. It is known where the queue was empty when it came, or where the last who came
 * before it has been served. Its time then counts from when both the other's slot and its own place
 * in the queue were certain, so that it ends before Redis would give either to somebody else,
 * whenever Redis hears of it. Thread-safe.
 */
final class Heirs {

  private static final int MOST_HOLDERS = 1024;

  private final ConcurrentHashMap<PermitId, Heir> byId = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<ResourceKey, Line> lines = new ConcurrentHashMap<>();

  /** Slots that somebody waited for, by who has them. */
  private final ConcurrentHashMap<PermitId, Line.Holding> holders = new ConcurrentHashMap<>();

  /** Who has begun in the place of a holder whose release is not known to have reached Redis. */
  private final ConcurrentHashMap<PermitId, Heir> begun = new ConcurrentHashMap<>();

  /**
   * A place in the queue.
   *
   * @param ahead the ticket of the last who came before; 0 if there was nobody, and beyond all
   *     others if that is not known
   * @param askedAt when it was asked for, in nanoseconds
   * @param answeredAt when Redis had answered
   */
  record Place(long ticket, long ahead, long askedAt, long answeredAt) {

    /**
     * Returns whether the ticket is the time when it was given, so that expiries follow from it.
     */
    boolean hasTime() {
      return ticket - ahead > 1;
    }
  }

  /** Notes somebody who is about to wait. */
  PermitWatch watch(PermitReference waiter, Runnable hint) {
    Heir heir = new Heir(waiter, hint);
    byId.put(waiter.id(), heir);
    return heir::close;
  }

  /** Returns a waiter whose watch is open; null if there is none. */
  @Nullable Heir of(PermitId waiter) {
    return byId.get(waiter);
  }

  boolean waits(PermitId waiter) {
    return byId.containsKey(waiter);
  }

  /** Has everybody look at what Redis knows. */
  void lookAll() {
    byId.values().forEach(Heir::look);
  }

  /** Has nobody begin any more before Redis knows of it, as the limit is another one. */
  void limitChanged(ResourceKey name) {
    Line line = lines.get(name);
    if (line != null) {
      line.limitChanged();
    }
  }

  /** Takes out of the line who may inherit from this holder; null if there is nobody. */
  Line.@Nullable Succession next(PermitReference holder) {
    Line.Holding holding = holders.remove(holder.id());
    Line line = lines.get(holder.name());
    return line == null ? null : line.next(holding);
  }

  private void holds(PermitReference holder, Line.Holding holding) {
    if (holders.size() >= MOST_HOLDERS) {
      // Whoever is lost is never released.
      holders.values().removeIf(Line.Holding::isOld);
    }
    holders.put(holder.id(), holding);
  }

  /** Notes that an heir begins in the place of a holder, until Redis is known to have heard. */
  void begins(Heir heir, PermitReference holder) {
    begun.put(holder.id(), heir);
  }

  /** Returns who has begun in the place of a holder that Redis may not have heard of; or null. */
  @Nullable Heir begunFor(PermitReference holder) {
    return begun.get(holder.id());
  }

  void isKnown(PermitReference holder) {
    begun.remove(holder.id());
  }

  /** Returns what the waiter has inherited, once. */
  Optional<PermitAttempt> inherited(PermitId waiter) {
    Heir heir = byId.get(waiter);
    Inheritance inheritance = heir == null ? null : heir.inheritance.getAndSet(null);
    return Optional.ofNullable(inheritance).map(Inheritance::asAttempt);
  }

  private record Inheritance(PermitAttempt.Held held, long notBefore) {

    PermitAttempt asAttempt() {
      return new PermitAttempt.Held(
          held.slot(),
          held.expiresAt(),
          Duration.ofNanos(System.nanoTime() - notBefore),
          held.grant());
    }
  }

  /** One waiter. */
  final class Heir {

    private final PermitReference waiter;
    private final Runnable hint;
    private final AtomicReference<@Nullable Inheritance> inheritance = new AtomicReference<>();
    private volatile @Nullable PermitRequest request;
    private volatile @Nullable Place place;
    private volatile @Nullable Line line;
    private volatile boolean inDoubt;
    private volatile boolean closed;
    private boolean member;

    private Heir(PermitReference waiter, Runnable hint) {
      this.waiter = waiter;
      this.hint = hint;
    }

    PermitRequest request() {
      return inLine(request);
    }

    Place place() {
      return inLine(place);
    }

    boolean isClosed() {
      return closed;
    }

    private static <T> T inLine(@Nullable T known) {
      if (known == null) {
        throw new IllegalStateException("Nobody inherits who is not in line");
      }
      return known;
    }

    /** Notes its place in the queue. */
    void queued(PermitRequest asked, Place found) {
      Place known = place;
      if (known == null || known.ticket() != found.ticket()) {
        leaveLine();
        request = asked;
        place = found;
        lines.compute(
            waiter.name(),
            (name, present) -> {
              if (closed) {
                return present;
              }
              Line joined = present == null ? new Line() : present;
              joined.members++;
              member = true;
              line = joined;
              return joined;
            });
      }
      standInLine();
    }

    /** Lets others name it as their heir, until it is taken out of the line or waits no more. */
    void standInLine() {
      Line joined = line;
      if (joined != null) {
        joined.add(this);
      }
    }

    /** Notes that Redis has confirmed a slot, which was asked for at that time. */
    void served(long askedAt) {
      Line joined = line;
      if (joined != null) {
        joined.served(place().ticket());
        if (!inDoubt) {
          holds(waiter, new Line.Holding(request(), askedAt));
        }
      }
    }

    /** Notes that an attempt failed: it may have got a slot, nobody knows since when. */
    void isInDoubt() {
      inDoubt = true;
    }

    /**
     * Has it find a slot that it holds.
     *
     * @param notBefore when Redis had not given it the slot yet, in nanoseconds
     */
    void inherit(PermitAttempt.Held held, long notBefore) {
      inheritance.set(new Inheritance(held, notBefore));
      hint.run();
    }

    /** Has it hold a slot of which Redis has not heard. */
    void begin(long notBefore) {
      inherit(new PermitAttempt.Held(request().limit(), expiry()), notBefore);
    }

    /** Returns when a slot expires at the earliest that Redis gives it from now on. */
    private Instant expiry() {
      long ticketMs = TimeUnit.MICROSECONDS.toMillis(place().ticket());
      long sinceThen = System.nanoTime() - place().answeredAt();
      return Instant.ofEpochMilli(ticketMs).plusNanos(sinceThen).plus(request().ttl());
    }

    /** Has it look at what Redis knows, as a slot may have been granted. */
    void look() {
      hint.run();
    }

    /**
     * Returns for how long Redis surely keeps a slot that it has granted in the meantime; empty if
     * that is not for long, or if it has a slot, or may have no place.
     */
    Optional<Duration> keepsGrant() {
      Place known = place;
      if (closed || known == null || !known.hasTime() || inheritance.get() != null) {
        return Optional.empty();
      }
      Duration lease = GrantLease.LONGEST;
      if (lease.compareTo(request().heartbeatTimeout()) > 0) {
        lease = request().heartbeatTimeout();
      }
      Duration left = lease.minusNanos(System.nanoTime() - known.askedAt());
      return left.compareTo(lease.dividedBy(2)) > 0 ? Optional.of(left) : Optional.empty();
    }

    /** Has it hold a slot that Redis has granted, while it is being confirmed. */
    void holdOn(PermitAttempt.Grant grant, long askedAt) {
      Line joined = line;
      if (joined != null) {
        joined.remove(this);
        joined.served(place().ticket());
      }
      inherit(
          new PermitAttempt.Held(request().limit(), expiry(), Duration.ZERO, Optional.of(grant)),
          askedAt);
    }

    private void close() {
      closed = true;
      byId.remove(waiter.id(), this);
      if (place != null) {
        leaveLine();
      }
    }

    private void leaveLine() {
      lines.computeIfPresent(
          waiter.name(),
          (name, present) -> {
            if (!member) {
              return present;
            }
            member = false;
            present.remove(this);
            present.members--;
            return present.members == 0 ? null : present;
          });
    }
  }
}
