package io.syncguard.telemetry;

/** Is told of every operation on a store's semaphores. */
@FunctionalInterface
public interface SemaphoreListener {

  /**
   * Is called after the operation, in a thread of telemetry's own and for one event at a time.
   * Neither its slowness nor its exceptions reach the operation.
   */
  void onEvent(SemaphoreEvent event);
}
