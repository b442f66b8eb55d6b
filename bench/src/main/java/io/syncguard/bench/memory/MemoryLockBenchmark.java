package io.syncguard.bench.memory;

import io.syncguard.SyncGuard;
import io.syncguard.lock.AsyncLocks;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Takes and releases a free lock of the in-memory store, while others are held. Two threads work on
 * distinct keys. An operation is one acquisition with its release.
 *
 * <p>Collecting garbage is part of the cost and stays in the figures: an operation allocates, and
 * the collector's threads compete with the others for the processors. {@code -prof gc} shows how
 * much.
 */
@BenchmarkMode({Mode.AverageTime, Mode.Throughput})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 2,
    jvmArgs = {"-Xms4g", "-Xmx4g", "-XX:+UseParallelGC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MemoryLockBenchmark {

  /** For JMH. */
  public MemoryLockBenchmark() {}

  /** A store in which others hold locks. */
  @State(Scope.Benchmark)
  public static class OccupiedStore {

    /** How many locks are held while others are measured. */
    @Param({"1000", "1000000"})
    public int liveLocks;

    private final SyncGuard guard = SyncGuard.open("memory:");
    private final Locks locks = guard.locks();
    private final AsyncLocks async = locks.async();
    private @Nullable LiveLocks live;

    /** For JMH. */
    public OccupiedStore() {}

    /** Blocks while the locks are taken. */
    @Setup
    public void hold() {
      live = LiveLocks.hold(locks, liveLocks);
    }

    /** Blocks while the locks are released and the store is closed. */
    @TearDown
    public void close() {
      if (live != null) {
        live.close();
      }
      guard.close();
    }
  }

  /** A thread's own keys. */
  @State(Scope.Thread)
  public static class OwnKeys {

    private KeyRing keys = new KeyRing(0);

    /** For JMH. */
    public OwnKeys() {}

    /** Gives each thread keys that no other has. */
    @Setup
    public void number(ThreadParams thread) {
      keys = new KeyRing(thread.getThreadIndex());
    }
  }

  /** A single attempt, then close. */
  @Benchmark
  @Threads(1)
  public boolean acquire1Thread(OccupiedStore store, OwnKeys own) {
    return acquire(store, own);
  }

  /** A single attempt, then close, on two threads. */
  @Benchmark
  @Threads(2)
  public boolean acquire2Threads(OccupiedStore store, OwnKeys own) {
    return acquire(store, own);
  }

  /** The wait for a lock, which is free, then close. */
  @Benchmark
  @Threads(1)
  public boolean lock1Thread(OccupiedStore store, OwnKeys own) {
    return lock(store, own);
  }

  /** The wait for a lock, which is free, then close, on two threads. */
  @Benchmark
  @Threads(2)
  public boolean lock2Threads(OccupiedStore store, OwnKeys own) {
    return lock(store, own);
  }

  /** A single attempt without blocking, then the release. */
  @Benchmark
  @Threads(1)
  public CompletionStage<ReleaseResult> async1Thread(OccupiedStore store, OwnKeys own) {
    return acquireAsync(store, own);
  }

  /** A single attempt without blocking, then the release, on two threads. */
  @Benchmark
  @Threads(2)
  public CompletionStage<ReleaseResult> async2Threads(OccupiedStore store, OwnKeys own) {
    return acquireAsync(store, own);
  }

  private static boolean acquire(OccupiedStore store, OwnKeys own) {
    return LockCycle.acquire(store.locks, own.keys);
  }

  private static boolean lock(OccupiedStore store, OwnKeys own) {
    try (LockHandle lock = store.locks.lock(own.keys.next())) {
      return LockCycle.taken(lock);
    }
  }

  private static CompletionStage<ReleaseResult> acquireAsync(OccupiedStore store, OwnKeys own) {
    return store
        .async
        .tryLock(own.keys.next())
        .thenCompose(
            result -> {
              LockCycle.taken(result);
              return ((LockHandle) result).releaseAsync();
            });
  }
}
