package io.syncguard.bench.contest;

/** A contestant whose callers can wait for a lock. */
public interface WaitingContestant extends Contestant {

  /** A lock in hand. */
  interface Held {

    /** Blocks while the lock is freed. */
    void release() throws Exception;
  }

  /** Blocks until the calling thread has the lock. */
  Held lock(String key) throws Exception;
}
