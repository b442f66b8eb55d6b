package io.syncguard.telemetry;

/** Is told of every operation on a store's secrets. */
@FunctionalInterface
public interface SecretListener {

  /**
   * Is called after the operation, in a thread of telemetry's own and for one event at a time.
   * Neither its slowness nor its exceptions reach the operation.
   */
  void onEvent(SecretEvent event);
}
