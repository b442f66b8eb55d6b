package io.syncguard.testkit;

import static io.syncguard.testkit.StoreSuite.ask;

import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
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

  private final Store store = StoreProvider.openStore("memory:", new StoppedTime());

  @Operation
  public long acquire(@Param(name = "id") int id) {
    AcquireAttempt attempt =
        ask(store, new LockOperation.Acquire(KEYS.get(id % 2), IDS.get(id), TTL, false));
    return attempt instanceof AcquireAttempt.Granted granted ? granted.fence().toLong() : -1;
  }

  @Operation
  public String release(@Param(name = "id") int id) {
    return ask(store, new LockOperation.Release(lock(id))).name();
  }

  @Operation
  public boolean extend(@Param(name = "id") int id) {
    return ask(store, new LockOperation.Extend(lock(id), TTL)).isExtended();
  }

  @Operation
  public boolean isLocked(@Param(name = "key") int key) {
    return ask(store, new LockOperation.IsLocked(KEYS.get(key)));
  }

  @Operation
  public long lookup(@Param(name = "id") int id) {
    Optional<RawLockInfo> found = ask(store, new LockOperation.FindById(IDS.get(id)));
    return found.map(info -> info.fence().toLong()).orElse(-1L);
  }

  private static LockReference lock(int id) {
    return new LockReference(IDS.get(id), null);
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
