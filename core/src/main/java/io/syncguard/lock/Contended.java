package io.syncguard.lock;

import java.time.Duration;

/**
 * Another client holds the lock.
 *
 * @param remaining how long until it can be taken, unless its holder releases or extends it before
 */
public record Contended(Duration remaining) implements AcquireResult {

  /** Does nothing: there is nothing to release. */
  @Override
  public void close() {}
}
