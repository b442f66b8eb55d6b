package io.syncguard.internal.limit;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.counter.Counters;
import io.syncguard.internal.GuardContext;
import io.syncguard.internal.Lifetime;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.limit.LimitOperation;
import java.time.Duration;

/**
 * What the blocking and the asynchronous counters share: how arguments become operations.
 *
 * @param call how every operation is put to the store
 */
record CounterTerms(GuardContext guard, Call call) {

  private static final String INCREMENT = "increment";

  LimitOperation.Increment increment(String key, long max, Duration window) {
    ResourceKey checked = key(INCREMENT, key);
    return guard
        .operations()
        .check(
            Subject.ofCounter(checked.value()),
            INCREMENT,
            () -> {
              if (max < 1 || max > Counters.MOST) {
                throw SyncGuardException.invalidArgument(
                    "A counter counts to something from 1 to " + Counters.MOST + ", not to " + max);
              }
              return new LimitOperation.Increment(
                  checked, max, Lifetime.check("A counter's window", window));
            });
  }

  LimitOperation.Current current(String key) {
    return new LimitOperation.Current(key("current", key));
  }

  LimitOperation.Reset reset(String key) {
    return new LimitOperation.Reset(key("reset", key));
  }

  private ResourceKey key(String operation, String key) {
    return guard.operations().check(Subject.ofCounter(null), operation, () -> ResourceKey.of(key));
  }
}
