package io.syncguard.redis.script;

import java.util.List;

/**
 * One run of a script.
 *
 * @param arguments texts and byte arrays
 */
public record ScriptCall(RedisScript script, List<String> keys, List<?> arguments) {

  /** What a usual one takes of the heap; one with a large payload counts for several. */
  public static final int USUAL_BYTES = 1536;

  /** A run with one key and no arguments. */
  public ScriptCall(RedisScript script, String key) {
    this(script, List.of(key), List.of());
  }

  /** Returns for how many usual ones it counts. */
  int weight() {
    long payload = 0;
    for (Object argument : arguments) {
      payload += argument instanceof byte[] bytes ? bytes.length : 0;
    }
    return 1 + (int) (payload / USUAL_BYTES);
  }
}
