package io.syncguard.jdbc.backend;

import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.jdbc.script.SqlScript.Effect;
import java.util.Optional;

/**
 * What one database is asked for locks; the files say how each answers.
 *
 * @param acquire takes the lock if it is free, or a place in its queue
 * @param release frees the lock with an id, or gives up its place, and grants what becomes free
 * @param keepWaiting notes that a process lives, and grants what is free; empty if there is no
 *     queue
 * @param extend lets the lock with an id live longer
 * @param findByKey finds the lock on a key
 * @param findById finds the lock with an id
 * @param list finds a batch of locks
 */
public record LockScripts(
    SqlScript acquire,
    SqlScript release,
    Optional<SqlScript> keepWaiting,
    SqlScript extend,
    SqlScript findByKey,
    SqlScript findById,
    SqlScript list) {

  public static LockScripts from(ScriptFiles files) {
    return new LockScripts(
        files.read("lock/acquire", Effect.WRITE),
        files.read("lock/release", Effect.RELAXED_WRITE),
        files.readIfThere("lock/keep_waiting", Effect.RELAXED_WRITE),
        files.read("lock/extend", Effect.WRITE),
        files.read("lock/find_by_key", Effect.READ),
        files.read("lock/find_by_id", Effect.READ),
        files.read("lock/list", Effect.READ));
  }
}
