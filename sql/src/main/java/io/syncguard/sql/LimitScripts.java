package io.syncguard.sql;

/**
 * What one database is asked for counters and rate limiters; the files say how each answers.
 *
 * @param increment counts one
 * @param current tells how far a counter has come
 * @param reset ends a counter's window
 * @param acquire allows by GCRA
 */
record LimitScripts(Script increment, Script current, Script reset, Script acquire) {

  static LimitScripts from(ScriptFiles files) {
    return new LimitScripts(
        files.read("limit/increment"),
        files.read("limit/current"),
        files.read("limit/reset"),
        files.read("limit/acquire"));
  }
}
