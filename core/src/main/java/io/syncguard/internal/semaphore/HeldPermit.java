package io.syncguard.internal.semaphore;

import io.syncguard.internal.hold.Hold;
import io.syncguard.internal.hold.Lease;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.Call;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.telemetry.Reason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A permit in hand: a lease that answered heartbeats prolong, up to its ttl. */
final class HeldPermit extends Hold<PermitReference, PermitReleaseResult> implements Permit {

  /** Most grants that are told are released by then, and need no confirmation. */
  private static final Duration CONFIRM_AFTER = Duration.ofMillis(10);

  private final SemaphoreEngine engine;
  private final SemaphoreOptions options;
  private final PermitAttempt.Held held;
  private final Heart heart;
  private volatile TimeSource.@Nullable Timer confirming;

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
  }

  void startBeating() {
    engine.heartbeats().add(heart);
  }

  /** Counts the permit as held until then at the latest, and has it confirmed meanwhile. */
  void startBeatingBefore(long keptUntil) {
    lease().endBy(keptUntil);
    heart.beatsFirstAfter(Duration.ofNanos(lease().remainingNanos() / 3));
    startBeating();
    confirming = engine.time().schedule(this::confirm, CONFIRM_AFTER);
  }

  /** Should no confirmation come, the next heartbeat tells, which then comes at once. */
  private void confirm() {
    long askedAt = engine.time().nanoTime();
    engine
        .operations()
        .begin(
            new SemaphoreOperation.Confirm(reference(), options.ttl(), options.heartbeatTimeout()),
            Call.plain())
        .whenComplete(
            (state, failure) -> {
              if (failure == null) {
                heart.answered(state, askedAt);
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
    TimeSource.Timer timer = confirming;
    if (timer != null) {
      timer.cancel();
    }
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

  /** A store still has it in the queue only if it was told of a grant that it never had. */
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
      if (known == PermitState.HOLDING) {
        lease().confirmedAt(askedAt);
      } else {
        lose();
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
