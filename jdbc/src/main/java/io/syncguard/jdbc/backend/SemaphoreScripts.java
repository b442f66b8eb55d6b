package io.syncguard.jdbc.backend;

import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.jdbc.script.SqlScript.Effect;

/**
 * What one database is asked for semaphores; the files say how each answers. What a crash must not
 * undo they say themselves: none asks for more than a relaxed write.
 *
 * @param acquire gets a slot or a place in the queue
 * @param release gives up either
 * @param ping notes that permits are alive
 * @param resize changes a name's limit
 * @param stats tells how a name is used
 * @param allStats tells how a batch of names is used
 */
public record SemaphoreScripts(
    SqlScript acquire,
    SqlScript release,
    SqlScript ping,
    SqlScript resize,
    SqlScript stats,
    SqlScript allStats) {

  public static SemaphoreScripts from(ScriptFiles files) {
    return new SemaphoreScripts(
        files.read("semaphore/acquire", Effect.RELAXED_WRITE),
        files.read("semaphore/release", Effect.RELAXED_WRITE),
        files.read("semaphore/ping", Effect.RELAXED_WRITE),
        files.read("semaphore/resize", Effect.RELAXED_WRITE),
        files.read("semaphore/stats", Effect.READ),
        files.read("semaphore/all_stats", Effect.READ));
  }
}
