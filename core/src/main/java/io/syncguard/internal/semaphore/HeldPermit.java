package io.syncguard.internal.semaphore;

import io.syncguard.internal.hold.Hold;
import io.syncguard.internal.hold.Lease;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.telemetry.Reason;
import java.time.Duration;
import java.time.Instant;

/** A permit in hand: a lease that answered heartbeats prolong, up to its ttl. */
final class HeldPermit extends Hold<PermitReference, PermitReleaseResult> implements Permit {

  private final SemaphoreEngine engine;
  private final SemaphoreOptions options;
  private final PermitAttempt.Held held;
  private final Heart heart;

  HeldPermit(
      SemaphoreEngine engine,
      PermitReference reference,
      SemaphoreOptions options,
      PermitAttempt.Held held,
      long requestedAt) {
    super(
        engine.guard(),
        engine.holdings(),
        engine.releases(),
        reference,
        reference.subject(),
        new Lease(engine.time(), requestedAt, options.heartbeatTimeout()),
        engine.guard().onReleaseError());
    this.engine = engine;
    this.options = options;
    this.held = held;
    this.heart = new Heart();
    lease().capAt(options.ttl());
    held.grant()
        .ifPresent(
            grant -> {
              lease().beginWith(grant.keptFor());
              heart.beatsFirstAfter(grant.keptFor().dividedBy(3));
            });
  }

  void startBeating() {
    engine.heartbeats().add(heart);
    held.grant().ifPresent(this::awaitConfirmation);
  }

  /** Should no confirmation come, the first heartbeat tells, which then comes soon. */
  private void awaitConfirmation(PermitAttempt.Grant grant) {
    grant
        .confirmed()
        .whenComplete(
            (confirmed, failure) -> {
              if (failure == null) {
                heart.answered(
                    confirmed ? PermitState.HOLDING : PermitState.GONE, lease().requestedAt());
              } else {
                engine.heartbeats().beatNow(heart);
              }
            });
  }

  @Override
  public String name() {
    return reference().name().value();
  }

  @Override
  public int slot() {
    return held.slot();
  }

  @Override
  public Instant expiresAt() {
    return held.expiresAt();
  }

  @Override
  public Permit onLost(Runnable listener) {
    tellUserOfLoss(listener);
    return this;
  }

  /** The heartbeats do. */
  @Override
  protected void watchOver() {}

  @Override
  protected void stopWatching() {
    engine.heartbeats().remove(heart);
  }

  @Override
  protected Duration life() {
    return options.heartbeatTimeout();
  }

  @Override
  protected PermitReleaseResult nothingToRelease() {
    return PermitReleaseResult.NOT_FOUND;
  }

  @Override
  protected boolean isReleased(PermitReleaseResult answer) {
    return answer != PermitReleaseResult.NOT_FOUND;
  }

  /** A store may still have it in the queue, which has not heard that it was handed a slot. */
  @Override
  protected PermitReleaseResult told(PermitReleaseResult answer) {
    return answer == PermitReleaseResult.LEFT_QUEUE ? PermitReleaseResult.RELEASED : answer;
  }

  @Override
  protected void refuseRelease() {
    engine.operations().refused(subject(), "release", Reason.NOT_FOUND);
  }

  @Override
  protected void lostUntold() {
    SemaphoreEngine.LOG.warn(
        "A permit was lost, and no listener of onLost is there to be told: {}. Stop what relies on"
            + " it: its slot goes to the next",
        this);
  }

  @Override
  public String toString() {
    return "Permit[name="
        + reference().name().label()
        + ", id="
        + reference().id().hash()
        + ", slot="
        + held.slot()
        + "]";
  }

  /** What keeps the permit alive. */
  private final class Heart extends Beating {

    private Heart() {
      super(reference(), options.heartbeat(), options.heartbeatTimeout(), lease().requestedAt());
    }

    @Override
    void answered(PermitState known, long askedAt) {
      switch (known) {
        case HOLDING -> lease().confirmedAt(askedAt);
        case GONE -> lose();
        case WAITING -> {
          // The store has yet to hear that it was handed a slot.
        }
      }
    }

    @Override
    void orphaned() {
      // The lease ends by itself.
    }

    @Override
    long nanosToGiveUp() {
      return lease().nanosToLoss();
    }

    @Override
    void giveUp() {
      lose();
    }
  }
}
