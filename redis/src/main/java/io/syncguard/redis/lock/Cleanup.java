package io.syncguard.redis.lock;

import io.syncguard.Subject;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptAnswer;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.spi.Call;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Deletes what expired long ago, and serves waiters, in the background. Thread-safe. */
final class Cleanup {

  private static final long AT_MOST_EVERY_NANOS = 100_000_000;

  /** What is added to the answer when there are more dead waiters than a step drops. */
  private static final long MORE = 10;

  private final ScriptRunner runner;
  private final AtomicLong lastAt = new AtomicLong(System.nanoTime() - AT_MOST_EVERY_NANOS);

  Cleanup(ScriptRunner runner) {
    this.runner = runner;
  }

  /** Cleans up after a question whether the key is locked, but not too often. */
  void maybe(@Nullable Boolean locked, KeyLayout.Names names) {
    long now = System.nanoTime();
    long last = lastAt.get();
    if (Boolean.FALSE.equals(locked)
        && now - last >= AT_MOST_EVERY_NANOS
        && lastAt.compareAndSet(last, now)) {
      now(names);
    }
  }

  /** Begins at once. Each step drops some dead waiters; Redis serves others in between. */
  void now(KeyLayout.Names names) {
    Connections.letEnd(
        runner.run(
            new ScriptCall(
                RedisScript.CLEANUP, List.of(names.lockKey()), List.of(names.indexPrefix())),
            answer -> {
              long code = ScriptAnswer.number(answer);
              if (code >= MORE) {
                now(names);
              }
              return code;
            },
            Subject.NONE,
            Call.plain()));
  }
}
