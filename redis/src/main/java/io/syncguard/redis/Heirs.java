package io.syncguard.redis;

import io.syncguard.spi.GrantLease;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
 * before it has been served. Until Redis answers, it rests on the other's slot and on its own place
 * in the queue, which may meanwhile have become a grant: so not for longer than Redis keeps each of
 * these, whenever it hears of the release. Thread-safe.
 */
final class Heirs {

  private static final int MOST_HOLDERS = 1024;

  /** So much of a grant's time must be left that an answer surely comes before it is over. */
  private static final int LEAST_SHARE_OF_LEASE = 5;

  private final ConcurrentHashMap<PermitId, Heir> byId = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<ResourceKey, Line> lines = new ConcurrentHashMap<>();

  /** Slots that somebody waited for, by who has them and has not begun to release them. */
  private final ConcurrentHashMap<PermitId, Holding> holders = new ConcurrentHashMap<>();

  /** Who has begun in the place of a holder whose release Redis may not have heard of. */
  private final ConcurrentHashMap<PermitId, Beginning> beginnings = new ConcurrentHashMap<>();

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

  /**
   * A slot in use.
   *
   * @param endsAt until when Redis surely keeps it once it has confirmed it, in nanoseconds
   * @param confirmed whether it has
   */
  private record Holding(long endsAt, boolean confirmed) {

    boolean isOver() {
      return endsAt - System.nanoTime() < 0;
    }
  }

  /**
   * Somebody who has begun in the place of another.
   *
   * @param confirmed completes when Redis says that it has a slot
   */
  record Beginning(Heir heir, CompletableFuture<Boolean> confirmed) {}

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

  /** Has nobody begin any more before Redis hears of it, as the limit is another one. */
  void limitChanged(ResourceKey name) {
    Line line = lines.get(name);
    if (line != null) {
      line.limitChanged();
    }
  }

  /**
   * Takes out of the line who may inherit from this holder, when it first releases; null if there
   * is nobody.
   */
  Line.@Nullable Succession next(PermitReference holder) {
    Holding holding = holders.remove(holder.id());
    Line line = lines.get(holder.name());
    if (line == null) {
      return null;
    }
    return line.next(
        holding != null && holding.confirmed()
            ? OptionalLong.of(holding.endsAt())
            : OptionalLong.empty());
  }

  private void holds(PermitReference holder, Holding holding) {
    if (holders.size() >= MOST_HOLDERS) {
      // Whoever is lost is never released.
      holders.values().removeIf(Holding::isOver);
    }
    holders.put(holder.id(), holding);
  }

  /** Notes who is about to begin in the place of a holder. */
  void begins(Beginning beginning, PermitReference holder) {
    beginnings.put(holder.id(), beginning);
  }

  /** Returns who has begun in the place of a holder that Redis may not have heard of; or null. */
  @Nullable Beginning begunFor(PermitReference holder) {
    return beginnings.get(holder.id());
  }

  /** Notes that Redis has heard of a holder's release, or that nobody begins in its place. */
  void isOver(PermitReference holder) {
    beginnings.remove(holder.id());
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
    private volatile boolean hadPlaces;
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

    /** Returns whether no place of it in the queue is known yet. */
    boolean isNew() {
      return place == null;
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
        hadPlaces |= known != null;
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

    /**
     * Notes that an attempt failed: it may have had a place before the one that it will know of,
     * and a notice of a grant may be meant for that one.
     */
    void isInDoubt() {
      hadPlaces = true;
    }

    /** Has it look at what Redis knows, as a slot may have been granted. */
    void look() {
      hint.run();
    }

    /** Notes that Redis has confirmed a slot that it does not use yet. */
    void served() {
      Line joined = line;
      if (joined != null) {
        joined.served(place().ticket());
        holds(waiter, holding(true));
      }
    }

    /** Notes that it may be about to begin, before anybody can confirm it. */
    void prepare() {
      holds(waiter, holding(false));
    }

    /** Notes that Redis has confirmed the slot that it uses, unless it has begun to release it. */
    void confirmed() {
      holders.computeIfPresent(waiter.id(), (id, holding) -> new Holding(holding.endsAt(), true));
    }

    /** Whatever slot it has, Redis has given it after it asked for its place. */
    private Holding holding(boolean confirmed) {
      Duration time = shorter(request().ttl(), request().heartbeatTimeout());
      return new Holding(place().askedAt() + TimeSource.saturatedNanos(time), confirmed);
    }

    /** Notes that it does not begin: it waits on. */
    void doesNotBegin() {
      holders.remove(waiter.id());
      standInLine();
    }

    /** Has it find a slot that Redis has given it, at that time at the earliest. */
    void inherit(PermitAttempt.Held held, long notBefore) {
      inheritance.set(new Inheritance(held, notBefore));
      hint.run();
    }

    /**
     * Returns until when Redis surely keeps the grant that it is told of; empty if that is not for
     * long, or if it has a slot, or has not had this one place only.
     */
    OptionalLong restsOnGrant() {
      Place known = place;
      return known != null && known.hasTime() && !hadPlaces && !closed && inheritance.get() == null
          ? ifForLong(grantEndsAt())
          : OptionalLong.empty();
    }

    /** Returns until when Redis surely keeps both; empty if that is not for long. */
    OptionalLong restsOn(long slotEndsAt) {
      long grantEndsAt = grantEndsAt();
      return ifForLong(slotEndsAt - grantEndsAt < 0 ? slotEndsAt : grantEndsAt);
    }

    private long grantEndsAt() {
      return place().askedAt() + grantLease().toNanos();
    }

    private Duration grantLease() {
      return shorter(GrantLease.LONGEST, request().heartbeatTimeout());
    }

    private OptionalLong ifForLong(long endsAt) {
      return endsAt - System.nanoTime() > grantLease().toNanos() / LEAST_SHARE_OF_LEASE
          ? OptionalLong.of(endsAt)
          : OptionalLong.empty();
    }

    private static Duration shorter(Duration a, Duration b) {
      return a.compareTo(b) < 0 ? a : b;
    }

    /**
     * Has it hold a slot while that is being confirmed.
     *
     * @param askedAt when the confirmation was asked for, in nanoseconds
     * @param endsAt until when Redis surely keeps what it rests on
     */
    void begin(long askedAt, long endsAt, CompletionStage<Boolean> confirmed) {
      Line joined = line;
      if (joined != null) {
        joined.remove(this);
        joined.served(place().ticket());
      }
      Duration keptFor = Duration.ofNanos(endsAt - askedAt);
      inherit(
          new PermitAttempt.Held(
              request().limit(),
              expiry(),
              Duration.ZERO,
              Optional.of(new PermitAttempt.Grant(keptFor, confirmed))),
          askedAt);
    }

    /** Returns when a slot expires at the earliest that Redis gives it from now on. */
    private Instant expiry() {
      long ticketMs = TimeUnit.MICROSECONDS.toMillis(place().ticket());
      long sinceThen = System.nanoTime() - place().answeredAt();
      return Instant.ofEpochMilli(ticketMs).plusNanos(sinceThen).plus(request().ttl());
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
