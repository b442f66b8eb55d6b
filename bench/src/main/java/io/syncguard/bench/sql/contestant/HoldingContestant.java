package io.syncguard.bench.sql.contestant;

import io.syncguard.bench.contest.Contestant;

/** A contestant whose two halves can be told apart. */
public interface HoldingContestant extends Contestant {

  /** A lock in hand. */
  @FunctionalInterface
  interface Held {
    void release() throws Exception;
  }

  /** Blocks while it takes a free lock. */
  Held acquire(String key) throws Exception;

  @Override
  default void cycle(String key) throws Exception {
    acquire(key).release();
  }
}
