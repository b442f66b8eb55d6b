package io.syncguard.jdbc.backend;

import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.jdbc.script.SqlScript.Effect;

/**
 * What one database is asked for counters and rate limiters; the files say how each answers. What a
 * crash may undo lets no client exceed a counter's limit.
 *
 * @param increment counts one
 * @param current tells how far a counter has come
 * @param reset ends a counter's window
 * @param acquire allows by GCRA
 */
public record LimitScripts(
    SqlScript increment, SqlScript current, SqlScript reset, SqlScript acquire) {

  public static LimitScripts from(ScriptFiles files) {
    return new LimitScripts(
        files.read("limit/increment", Effect.WRITE),
        files.read("limit/current", Effect.READ),
        files.read("limit/reset", Effect.RELAXED_WRITE),
        files.read("limit/acquire", Effect.RELAXED_WRITE));
  }
}
