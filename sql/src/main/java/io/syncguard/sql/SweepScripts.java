package io.syncguard.sql;

import java.util.List;

/**
 * The scripts that find and remove what has expired.
 *
 * @param due tells whether there is anything
 * @param sweeps each removes a batch of one kind, what may be secret first
 */
record SweepScripts(Script due, List<Script> sweeps) {

  SweepScripts {
    sweeps = List.copyOf(sweeps);
  }

  static SweepScripts from(ScriptFiles files) {
    return new SweepScripts(
        files.read("due"),
        List.of(
            files.read("secret/sweep"),
            files.read("sweep"),
            files.read("semaphore/sweep"),
            files.read("limit/sweep_counters"),
            files.read("limit/sweep_limiters")));
  }
}
