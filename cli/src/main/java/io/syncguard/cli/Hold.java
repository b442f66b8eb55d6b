package io.syncguard.cli;

import java.time.Duration;
import java.util.Map;

/** What a command runs under: a lock, or a permit of a semaphore. */
interface Hold {

  /** Returns what the command is told of it. */
  Map<String, String> environment();

  /** Registers who is told, in a thread of its own, that it is lost. */
  void onLost(Runnable listener);

  /**
   * Blocks while it is given up, or set to end when it has been held for at least this long.
   *
   * @return false if it was lost before
   */
  boolean end(Duration atLeast) throws InterruptedException;
}
