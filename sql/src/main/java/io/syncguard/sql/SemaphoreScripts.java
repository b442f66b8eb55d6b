package io.syncguard.sql;

/**
 * What one database is asked for semaphores; the files say how each answers.
 *
 * @param acquire gets a slot or a place in the queue
 * @param release gives up either
 * @param ping notes that permits are alive
 * @param resize changes a name's limit
 * @param stats tells how a name is used
 * @param allStats tells how a batch of names is used
 */
record SemaphoreScripts(
    Script acquire, Script release, Script ping, Script resize, Script stats, Script allStats) {

  static SemaphoreScripts from(ScriptFiles files) {
    return new SemaphoreScripts(
        files.read("semaphore/acquire"),
        files.read("semaphore/release"),
        files.read("semaphore/ping"),
        files.read("semaphore/resize"),
        files.read("semaphore/stats"),
        files.read("semaphore/all_stats"));
  }
}
