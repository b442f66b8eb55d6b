package io.syncguard.telemetry;

import java.time.Duration;

/** Something that happened to a lock, a permit, a secret, a counter or a rate limiter. */
public sealed interface Event permits OperationEvent, WaitEvent, HoldEvent {

  /** Returns what it happened to. */
  EventSubject subject();

  /** Returns how long it took. */
  Duration elapsed();
}
