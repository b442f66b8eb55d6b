package io.syncguard.internal.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.Lifetime;
import io.syncguard.internal.waiting.Wait;
import io.syncguard.spi.Operation;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.GrantLease;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One caller's wait for a permit, in the store's queue. */
final class PermitWait extends Wait<PermitAttempt, PermitWait.Told, HeldPermit> {

  /** A grant that the store told of, to the permit that it was granted to. */
  record Told(PermitId id, PermitAttempt.Held held) {}

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final SemaphoreEngine engine;
  private final Terms terms;
  private PermitReference permit;
  private @Nullable Watch watch;
  private @Nullable QueuedPermit place;

  PermitWait(SemaphoreEngine engine, Terms terms, Duration maxWait, CancelSignal signal) {
    super(
        engine.guard(),
        signal,
        engine.operations().check(terms.subject(), "acquire", () -> Lifetime.checkWait(maxWait)));
    this.engine = engine;
    this.terms = terms;
    this.permit = newPermit();
  }

  private PermitReference newPermit() {
    return new PermitReference(terms.name(), PermitId.random());
  }

  @Override
  protected Subject subject() {
    return terms.subject();
  }

  @Override
  protected void begun() {
    engine.holdings().begin();
  }

  @Override
  protected Operation<PermitAttempt> question(boolean last) {
    if (watch == null && !last) {
      watch = engine.guard().store().semaphores().watch(permit, hints(permit.id())).orElse(null);
    }
    return terms.request(permit, !last, watch != null);
  }

  private WaiterHints<PermitAttempt.Held> hints(PermitId id) {
    return new WaiterHints<>() {
      @Override
      public void look() {
        PermitWait.this.look();
      }

      @Override
      public void granted(PermitAttempt.Held held) {
        told(new Told(id, held));
      }
    };
  }

  @Override
  protected @Nullable HeldPermit read(PermitAttempt answer) {
    if (answer instanceof PermitAttempt.Waiting waiting) {
      keepPlace(waiting.ticket());
      beatInPlace();
      return null;
    }
    leave();
    if (answer instanceof PermitAttempt.Held held) {
      return take(held);
    }
    throw answer instanceof PermitAttempt.LimitDiffers differs
        ? terms.limitDiffers(differs.limit())
        : timedOut();
  }

  private void beatInPlace() {
    if (place == null) {
      place =
          new QueuedPermit(
              permit, terms.options(), watch != null, askedAt(), this::look, this::stillPlacedAt);
      engine.heartbeats().add(place);
    }
  }

  private @Nullable HeldPermit take(PermitAttempt.Held held) {
    long heldSince = askedAt() - held.age().toNanos();
    HeldPermit acquired =
        engine.permit(
            permit,
            terms.options(),
            held,
            isInDoubt() ? Math.min(grantedSince(), heldSince) : heldSince);
    if (acquired.isHeld()) {
      return acquired;
    }
    // Its time was over before this process learned of it: that is no permit to work under.
    acquired.giveBack();
    PermitReference tooLate = permit;
    permit = newPermit();
    beginAnew(SemaphoreEngine.grantedTooLate(tooLate));
    return null;
  }

  @Override
  protected @Nullable HeldPermit begin(Told told, long keptUntil) {
    if (!told.id().equals(permit.id())) {
      return null;
    }
    leave();
    return engine.permitKeptUntil(keptUntil, permit, terms.options(), told.held());
  }

  @Override
  protected long grantNanos() {
    Duration alive = terms.options().heartbeatTimeout();
    return Math.min(GrantLease.LONGEST.toNanos(), TimeSource.saturatedNanos(alive));
  }

  @Override
  protected long pauseNanos(int failures) {
    return Math.min(FIRST_PAUSE.toNanos() << Math.min(failures, 10), LONGEST_PAUSE.toNanos());
  }

  private SyncGuardException timedOut() {
    return new SyncGuardException(
        Code.ACQUISITION_TIMEOUT,
        "Could not acquire a permit of the semaphore "
            + terms.name().label()
            + " within "
            + maxWait()
            + " (waited "
            + waited().toMillis()
            + " ms): all slots are taken",
        terms.subject(),
        null);
  }

  @Override
  protected void succeeded() {
    engine.holdings().end();
  }

  @Override
  protected void gaveUp() {
    boolean placed = place != null;
    leave();
    Duration life = terms.options().heartbeatTimeout();
    if (isInDoubt()) {
      engine.releases().afterAbandonedAcquisition(permit, life, engine.holdings()::end);
    } else if (placed) {
      engine.releases().inBackground(permit, life, engine.holdings()::end);
    } else {
      engine.holdings().end();
    }
  }

  private void leave() {
    if (place != null) {
      engine.heartbeats().remove(place);
      place = null;
    }
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  @Override
  protected void giveBack(HeldPermit got) {
    got.giveBack();
  }
}
