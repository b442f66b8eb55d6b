package io.syncguard.redis.lock;

import io.syncguard.lock.LockId;

/**
 * What scripts know the waiters of one store instance by.
 *
 * @param process the id of the process, random, 22 characters
 * @param text the mode and the process: behind a waiter's lockId its name in a queue
 * @param withoutWaiting the same, for an attempt that does not wait
 */
public record ProcessMark(String process, String text, String withoutWaiting) {

  private static final String CHANNELS = "syncguard:locked:";

  /** Returns the mark of a new process. */
  public static ProcessMark random(boolean fencesSurvive, boolean isGranted) {
    String process = LockId.random().value();
    char mode = fencesSurvive ? 'S' : 'C';
    String text = (isGranted ? mode : Character.toLowerCase(mode)) + process;
    return new ProcessMark(process, text, text + ".");
  }

  /** Returns where scripts publish what this process's waiters are to hear. */
  String channel() {
    return CHANNELS + process;
  }

  /** Returns the key that says that this process lives. */
  String aliveKey(String indexPrefix) {
    return indexPrefix + "alive:" + process;
  }
}
