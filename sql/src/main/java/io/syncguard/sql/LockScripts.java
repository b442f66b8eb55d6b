package io.syncguard.sql;

/**
 * What one database is asked for locks; the files say how each answers.
 *
 * @param acquire takes the lock if nobody holds it
 * @param acquireOrRegister the same, and leaves word of a waiter if somebody does
 * @param release frees the lock with an id
 * @param extend lets the lock with an id live longer
 * @param findByKey finds the lock on a key
 * @param findById finds the lock with an id
 * @param sweep forgets locks that expired long ago
 */
record LockScripts(
    Script acquire,
    Script acquireOrRegister,
    Script release,
    Script extend,
    Script findByKey,
    Script findById,
    Script sweep) {

  static LockScripts postgresql(ScriptFiles files) {
    Script lockKey = files.read("lock_key");
    Script lockKeyOfId = files.read("lock_key_of_id");
    Script acquire = files.read("acquire");
    return new LockScripts(
        lockKey.then(acquire),
        lockKey.then(files.read("register_waiter")).then(acquire),
        lockKeyOfId.then(files.read("release")),
        lockKeyOfId.then(files.read("lock_row")).then(files.read("extend")),
        files.read("find_by_key"),
        files.read("find_by_id"),
        files.read("sweep"));
  }

  static LockScripts sqlite(ScriptFiles files) {
    Script acquire = files.read("acquire");
    return new LockScripts(
        acquire,
        acquire,
        files.read("release"),
        files.read("extend"),
        files.read("find_by_key"),
        files.read("find_by_id"),
        files.read("sweep"));
  }
}
