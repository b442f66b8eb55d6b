package io.syncguard.telemetry;

/** Is told of every operation on a store's counters and rate limiters. */
@FunctionalInterface
public interface LimitListener {

  /**
   * Is called after the operation, in a thread of telemetry's own and for one event at a time.
   * Neither its slowness nor its exceptions reach the operation.
   */
  void onEvent(LimitEvent event);
}
