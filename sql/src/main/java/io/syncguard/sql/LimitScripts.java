package io.syncguard.sql;

/**
 * What one database is asked for counters and rate limiters; the files say how each answers.
 *
 * @param increment counts one
 * @param current tells how far a counter has come
 * @param reset ends a counter's window
 * @param acquire allows by GCRA
 * @param sweepCounters forgets windows that are over
 * @param sweepLimiters forgets limiters that are idle
 */
record LimitScripts(
    Script increment,
    Script current,
    Script reset,
    Script acquire,
    Script sweepCounters,
    Script sweepLimiters) {

  static LimitScripts from(ScriptFiles files) {
    return new LimitScripts(
        files.read("limit/increment"),
        files.read("limit/current"),
        files.read("limit/reset"),
        files.read("limit/acquire"),
        files.read("limit/sweep_counters"),
        files.read("limit/sweep_limiters"));
  }
}
