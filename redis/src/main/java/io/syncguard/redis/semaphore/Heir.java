package io.syncguard.redis.semaphore;

import io.syncguard.spi.TimeSource;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.GrantLease;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One waiter of this process, which may inherit a slot. Thread-safe. */
final class Heir {

  /** This share of a grant's time must be left, so that an answer surely comes before its end. */
  private static final int LEAST_SHARE_OF_LEASE = 5;

  /**
   * A place in the queue.
   *
   * @param ahead the ticket of the last waiter before it; 0 if the queue was empty, and beyond all
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

  private record Inheritance(PermitAttempt.Held held, long notBefore) {

    PermitAttempt asAttempt() {
      return new PermitAttempt.Held(
          held.slot(),
          held.expiresAt(),
          Duration.ofNanos(System.nanoTime() - notBefore),
          held.grant());
    }
  }

  private final Heirs heirs;
  private final PermitReference waiter;
  private final Runnable hint;
  private final Supplier<Optional<Watch>> listWatch;
  private final AtomicReference<@Nullable Inheritance> inheritance = new AtomicReference<>();
  private volatile SemaphoreOperation.@Nullable Acquire request;
  private volatile @Nullable Place place;
  private volatile @Nullable Line line;
  private volatile boolean hadPlaces;
  private volatile boolean closed;
  private boolean member;
  private Optional<Watch> openWatch = Optional.empty();

  Heir(Heirs heirs, PermitReference waiter, Runnable hint, Supplier<Optional<Watch>> listWatch) {
    this.heirs = heirs;
    this.waiter = waiter;
    this.hint = hint;
    this.listWatch = listWatch;
  }

  SemaphoreOperation.Acquire request() {
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
      throw new IllegalStateException("A waiter that is not in line does not inherit");
    }
    return known;
  }

  /** Notes its place in the queue. */
  void queued(SemaphoreOperation.Acquire asked, Place found) {
    Place known = place;
    if (known == null || known.ticket() != found.ticket()) {
      leaveLine();
      hadPlaces |= known != null;
      request = asked;
      place = found;
      heirs
          .lines()
          .compute(
              waiter.name(),
              (name, present) -> {
                if (closed) {
                  return present;
                }
                openWatch = listWatch.get();
                Line joined = present == null ? new Line() : present;
                joined.members++;
                member = true;
                line = joined;
                return joined;
              });
    }
    standInLine();
  }

  /** Lets holders name it as their heir, until it is taken out of the line or waits no more. */
  void standInLine() {
    Line joined = line;
    if (joined != null) {
      joined.add(this);
    }
  }

  /**
   * Notes that an attempt failed: it may have had a place before the one that it will know of, and
   * a notice of a grant may be meant for the earlier place.
   */
  void noteDoubt() {
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
      heirs.whileWaiting(this, () -> heirs.holders().add(waiter.id(), slotEndsAt()));
    }
  }

  /**
   * Notes that it may be about to begin, before Redis can confirm it; returns false, and it must
   * not begin, if it waits no more.
   */
  boolean prepare() {
    return heirs.whileWaiting(this, () -> heirs.holders().addUncertain(waiter.id(), slotEndsAt()));
  }

  /**
   * As {@link #prepare}, on a grant that Redis has told it of. The slot may be over sooner once it
   * is confirmed.
   */
  boolean prepareOnGrant() {
    return heirs.whileWaiting(
        this, () -> heirs.holders().add(waiter.id(), earlier(grantEndsAt(), slotEndsAt())));
  }

  PermitReference reference() {
    return waiter;
  }

  /** Notes that Redis has confirmed the slot that it uses, unless its release has begun. */
  void confirmed() {
    heirs.holders().confirm(waiter.id(), slotEndsAt());
  }

  /** Returns whether it has begun, and its release has not. */
  boolean holds() {
    return heirs.holders().has(waiter.id());
  }

  /** Redis has given it its slot, whichever it is, after it asked for its place. */
  private long slotEndsAt() {
    Duration time = shorter(request().ttl(), request().heartbeatTimeout());
    return place().askedAt() + TimeSource.saturatedNanos(time);
  }

  /** Notes that it does not begin: it waits on. */
  void doesNotBegin() {
    heirs.holders().removeUncertain(waiter.id());
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
    return ifForLong(earlier(slotEndsAt, grantEndsAt()));
  }

  private static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
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
   * @param askedAt before the confirmation was asked for, in nanoseconds
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
            expiry(askedAt),
            Duration.ZERO,
            Optional.of(new PermitAttempt.Grant(keptFor, confirmed))),
        askedAt);
  }

  /** Returns when a slot expires at the earliest that Redis gives it after that time. */
  private Instant expiry(long givenAfter) {
    long ticketMs = TimeUnit.MICROSECONDS.toMillis(place().ticket());
    long sinceThen = givenAfter - place().answeredAt();
    return Instant.ofEpochMilli(ticketMs).plusNanos(sinceThen).plus(request().ttl());
  }

  void close() {
    closed = true;
    heirs.forget(this);
    if (place != null) {
      leaveLine();
    }
  }

  private void leaveLine() {
    heirs
        .lines()
        .computeIfPresent(
            waiter.name(),
            (name, present) -> {
              if (!member) {
                return present;
              }
              member = false;
              openWatch.ifPresent(Watch::close);
              present.remove(this);
              present.members--;
              return present.members == 0 ? null : present;
            });
  }

  /** Returns what it has inherited, once. */
  Optional<PermitAttempt> inherited() {
    return Optional.ofNullable(inheritance.getAndSet(null)).map(Inheritance::asAttempt);
  }
}
