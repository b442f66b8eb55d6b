package io.syncguard.cli.hold;

import java.time.Duration;
import java.util.Map;

/** What a command runs under: a lock, or a permit of a semaphore. */
public interface Hold {

  /** Returns the variables that tell the command of it. */
  Map<String, String> environment();

  /** Registers a listener, which is called in its own thread when the hold is lost. */
  void onLost(Runnable listener);

  /**
   * Blocks while it is given up, or set to end when it has been held for at least this long.
   *
   * @return false if it was lost before
   */
  boolean end(Duration atLeast) throws InterruptedException;
}
