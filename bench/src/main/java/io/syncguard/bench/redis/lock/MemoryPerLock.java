package io.syncguard.bench.redis.lock;

import io.syncguard.bench.redis.Server;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.LockHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What live locks take in Redis.
 *
 * @param lock bytes of the lock's own key, at most
 * @param index bytes of the index by id, at most
 * @param fence bytes of the fence counter, at most
 * @param grown bytes by which all of Redis grew per lock, its tables included
 */
record MemoryPerLock(long lock, long index, long fence, double grown) {

  private static final int LOCKS = 10_000;

  static MemoryPerLock measure(Server server, SyncGuardLocks syncGuard) {
    List<LockHandle> held = new ArrayList<>(LOCKS);
    try {
      long before = usedMemory(server);
      for (int i = 0; i < LOCKS; i++) {
        AcquireResult result =
            syncGuard.guard().locks().tryLock(String.format("memory:lock:%08d", i));
        held.add((LockHandle) result);
      }
      double grown = (double) (usedMemory(server) - before) / LOCKS;
      return new MemoryPerLock(
          largest(server, held.stream().map(lock -> "syncguard:" + lock.key())),
          largest(server, held.stream().map(lock -> "syncguard:id:" + lock.lockId().value())),
          largest(server, held.stream().map(lock -> "syncguard:fence:syncguard:" + lock.key())),
          grown);
    } finally {
      held.forEach(LockHandle::close);
    }
  }

  long total() {
    return lock + index + fence;
  }

  private static long usedMemory(Server server) {
    return Long.parseLong(server.info("memory", "used_memory"));
  }

  private static long largest(Server server, Stream<String> keys) {
    return keys.limit(1000)
        .mapToLong(
            key -> {
              Long bytes = server.commands().memoryUsage(key);
              if (bytes == null) {
                throw new IllegalStateException("A live lock should have the key " + key);
              }
              return bytes;
            })
        .max()
        .orElseThrow();
  }
}
