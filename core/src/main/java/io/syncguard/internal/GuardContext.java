package io.syncguard.internal;

import io.syncguard.GuardOptions;
import io.syncguard.ReleaseErrorHandler;
import io.syncguard.Subject;
import io.syncguard.internal.operation.Operations;
import io.syncguard.internal.telemetry.Events;
import io.syncguard.spi.Store;
import io.syncguard.spi.TimeSource;
import io.syncguard.telemetry.HoldEvent;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What all primitives of one guard share. Thread-safe. */
public final class GuardContext {

  private final Store store;
  private final GuardOptions options;
  private final Continuations continuations;
  private final Gate gate;
  private final Gate entrance;
  private final @Nullable Events events;
  private final Operations operations;

  /** An open guard over the store. */
  public GuardContext(Store store, GuardOptions options) {
    this.store = store;
    this.options = options;
    this.continuations = new Continuations(options);
    this.gate = new Gate();
    this.entrance = new Gate();
    @Nullable Telemetry telemetry = options.telemetry().orElse(null);
    this.events = telemetry == null ? null : new Events(telemetry);
    this.operations = new Operations(store, gate, events);
  }

  /** Returns the store, for what is no operation. */
  public Store store() {
    return store;
  }

  /** Returns the way by which operations reach the store. */
  public Operations operations() {
    return operations;
  }

  /** Returns what time is measured by. */
  public TimeSource time() {
    return options.timeSource();
  }

  /** Returns for how long a release is tried before it goes on in the background. */
  public Duration disposeTimeout() {
    return options.disposeTimeout();
  }

  /** Returns who is told when something could not be released. */
  public ReleaseErrorHandler onReleaseError() {
    return options.onReleaseError();
  }

  /** Returns where code of the user's runs. */
  public Continuations continuations() {
    return continuations;
  }

  /** Returns what lets operations begin; it is closed last. */
  public Gate gate() {
    return gate;
  }

  /** Returns what lets acquisitions and waits begin; it is closed before everything else. */
  public Gate entrance() {
    return entrance;
  }

  /** Reports a wait that is over, without a failure if what was waited for was granted. */
  public void waited(Subject subject, @Nullable Throwable failure, long startedAt) {
    if (events != null) {
      events.waited(subject, failure, Duration.ofNanos(time().nanoTime() - startedAt));
    }
  }

  /** Reports that something is held no more. */
  public void held(Subject subject, HoldEvent.End end, long heldSince) {
    if (events != null) {
      events.held(subject, end, Duration.ofNanos(time().nanoTime() - heldSince));
    }
  }
}
