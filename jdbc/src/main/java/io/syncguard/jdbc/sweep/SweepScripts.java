package io.syncguard.jdbc.sweep;

import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.jdbc.script.SqlScript.Effect;
import java.util.List;
import java.util.stream.Stream;

/**
 * The scripts that find and remove what has expired.
 *
 * @param due tells whether there is anything
 * @param sweeps each removes a batch of one kind, what may be secret first
 */
public record SweepScripts(SqlScript due, List<SqlScript> sweeps) {

  public SweepScripts {
    sweeps = List.copyOf(sweeps);
  }

  public static SweepScripts from(ScriptFiles files) {
    return new SweepScripts(
        files.read("due", Effect.READ),
        Stream.of(
                "secret/sweep",
                "lock/sweep",
                "semaphore/sweep",
                "limit/sweep_counters",
                "limit/sweep_limiters")
            .map(name -> files.read(name, Effect.RELAXED_WRITE))
            .toList());
  }
}
