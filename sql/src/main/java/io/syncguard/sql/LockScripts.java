package io.syncguard.sql;

/**
 * What one database is asked for locks; the files say how each answers.
 *
 * @param acquire takes the lock if nobody holds it
 * @param release frees the lock with an id
 * @param extend lets the lock with an id live longer
 * @param findByKey finds the lock on a key
 * @param findById finds the lock with an id
 * @param list finds a batch of locks
 */
record LockScripts(
    Script acquire, Script release, Script extend, Script findByKey, Script findById, Script list) {

  static LockScripts from(ScriptFiles files) {
    return new LockScripts(
        files.read("acquire"),
        files.read("release"),
        files.read("extend"),
        files.read("find_by_key"),
        files.read("find_by_id"),
        files.read("list"));
  }
}
