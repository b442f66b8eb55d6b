package io.syncguard.spi;

/** A waiter's open interest in being granted a slot. */
@FunctionalInterface
public interface PermitWatch extends AutoCloseable {

  /** Ends the interest and returns at once; a hint that is under way may still arrive. */
  @Override
  void close();
}
