package io.syncguard.spi;

/**
 * What a store tells a waiter, in any thread and at any time, also too often. Neither method may
 * block. Either may get lost with a connection: a waiter finds out by its heartbeat.
 *
 * @param <G> what a grant says
 */
public interface WaiterHints<G> {

  /** Takes that something may have changed, and the store is to be asked. */
  void look();

  /**
   * Takes that the store has granted what is waited for, and keeps it for a short time until that
   * is confirmed. Only from the step that granted it, to the waiter that it was granted to.
   */
  void granted(G grant);

  /** Returns hints for a waiter that is only ever told to look. */
  static <G> WaiterHints<G> looking(Runnable look) {
    return new WaiterHints<>() {
      @Override
      public void look() {
        look.run();
      }

      @Override
      public void granted(G grant) {
        look.run();
      }
    };
  }
}
