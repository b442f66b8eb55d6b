package io.syncguard.bench.redis;

import io.syncguard.bench.contest.Contestant;
import java.util.concurrent.CompletionStage;

/** A contestant that can also lock without blocking. */
interface AsyncContestant extends Contestant {

  /** Takes and frees a lock that nobody else wants; returns at once. */
  CompletionStage<?> cycleAsync(String key);
}
