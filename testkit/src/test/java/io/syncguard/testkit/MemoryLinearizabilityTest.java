package io.syncguard.testkit;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of operations has a sequential explanation, fences included. The two keys have
 * fence counters of their own: keys that share one may skip fences, in an order that only the
 * counter knows.
 */
@Param(name = "id", gen = IntGen.class, conf = "0:3")
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class MemoryLinearizabilityTest {

  private static final List<ResourceKey> KEYS = List.of(ResourceKey.of("a"), ResourceKey.of("b"));
  private static final List<LockId> IDS =
      List.of(
          LockId.of("AAAAAAAAAAAAAAAAAAAAAA"),
          LockId.of("BBBBBBBBBBBBBBBBBBBBBA"),
          LockId.of("CCCCCCCCCCCCCCCCCCCCCA"),
          LockId.of("DDDDDDDDDDDDDDDDDDDDDA"));
  private static final Duration TTL = Duration.ofHours(1);

  private final LockBackend locks = StoreProvider.openStore("memory:", new StoppedTime()).locks();

  @Operation
  public long acquire(@Param(name = "id") int id) {
    AcquireAttempt attempt =
        locks.acquire(
            new AcquireRequest(KEYS.get(id % 2), IDS.get(id), TTL, false), CancelSignal.never());
    return attempt instanceof AcquireAttempt.Granted granted ? granted.fence().toLong() : -1;
  }

  @Operation
  public String release(@Param(name = "id") int id) {
    return locks.release(new LockReference(IDS.get(id), null), TTL).name();
  }

  @Operation
  public boolean extend(@Param(name = "id") int id) {
    return locks
        .extend(new LockReference(IDS.get(id), null), TTL, CancelSignal.never())
        .isExtended();
  }

  @Operation
  public boolean isLocked(@Param(name = "key") int key) {
    return locks.isLocked(KEYS.get(key), CancelSignal.never());
  }

  @Operation
  public long lookup(@Param(name = "id") int id) {
    Optional<RawLockInfo> found = locks.lookup(IDS.get(id), CancelSignal.never());
    return found.map(info -> info.fence().toLong()).orElse(-1L);
  }

  @Test
  void isLinearizableUnderStress() {
    new StressOptions()
        .iterations(12)
        .invocationsPerIteration(300)
        .threads(3)
        .actorsPerThread(3)
        .check(getClass());
  }

  @Test
  void isLinearizableInEveryInterleavingTried() {
    new ModelCheckingOptions()
        .iterations(8)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(3)
        .check(getClass());
  }

  /** Time that never passes, with nothing in it that the model checker would have to look at. */
  private static final class StoppedTime implements TimeSource {

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long currentTimeMillis() {
      return 0;
    }

    @Override
    public Timer schedule(Runnable task, Duration delay) {
      return () -> {};
    }

    @Override
    public boolean await(Semaphore permits, long nanos) {
      return permits.tryAcquire();
    }
  }
}
