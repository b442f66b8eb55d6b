package io.syncguard.bench.redis.lock;

import io.syncguard.bench.contest.Contestant;
import java.util.concurrent.CompletionStage;

/** A contestant that can also lock without blocking. */
interface AsyncContestant extends Contestant {

  /** Takes and frees a lock that no other contestant wants; returns at once. */
  CompletionStage<?> cycleAsync(String key);
}
