package io.syncguard.memory;

import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.limit.LimitBackend;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.secret.SecretBackend;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import java.util.List;

/** A store in this process's memory. It forgets everything, fences included, when it is closed. */
final class MemoryStore implements Store {

  private final MemoryLocks locks;
  private final MemorySemaphores semaphores;
  private final MemorySecrets secrets;
  private final MemoryLimits limits;

  MemoryStore(TimeSource time) {
    StoreClock clock = new StoreClock(time);
    this.locks = new MemoryLocks(clock);
    this.semaphores = new MemorySemaphores(clock);
    this.secrets = new MemorySecrets(clock);
    this.limits = new MemoryLimits(clock);
  }

  @Override
  public LockBackend locks() {
    return locks;
  }

  @Override
  public SemaphoreBackend semaphores() {
    return semaphores;
  }

  @Override
  public SecretBackend secrets() {
    return secrets;
  }

  @Override
  public LimitBackend limits() {
    return limits;
  }

  @Override
  public Scan<RawLockInfo> scanLocks() {
    return locks.scan();
  }

  @Override
  public Scan<SemaphoreStats> scanSemaphores() {
    return semaphores.scan();
  }

  @Override
  public List<Finding> examine() {
    return List.of(
        Finding.warning(
            "persistence",
            "everything is in the memory of this process, fences included",
            "Use it for tests and for threads of one process only"));
  }

  @Override
  public void close() {
    locks.close();
    semaphores.close();
    secrets.close();
    limits.close();
  }
}
