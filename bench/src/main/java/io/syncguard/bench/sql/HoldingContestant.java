package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Contestant;

/** A contestant whose two halves can be told apart. */
interface HoldingContestant extends Contestant {

  /** A lock in hand. */
  @FunctionalInterface
  interface Held {
    void release() throws Exception;
  }

  /** Blocks while it takes a lock that nobody else has. */
  Held acquire(String key) throws Exception;

  @Override
  default void cycle(String key) throws Exception {
    acquire(key).release();
  }
}
