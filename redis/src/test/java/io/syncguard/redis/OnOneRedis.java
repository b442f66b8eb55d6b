package io.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockId;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What a test class with a server of its own has to work with; each test begins with it empty. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES)
abstract class OnOneRedis {

  static final Duration TTL = Duration.ofSeconds(30);
  static final Duration OUTLIVES_EXPIRY = Duration.ofSeconds(5);

  /** A script that is held up reads the clock some milliseconds after Redis did for the expiry. */
  private static final long CLOCK_STEPS_MS = 100;

  static final CancelSignal NEVER = CancelSignal.never();

  private final List<SyncGuard> guards = new ArrayList<>();
  RedisServer server;
  RedisContents contents;
  LockBackend backend;
  Locks locks;

  @BeforeAll
  final void startServer() {
    server = RedisServer.start();
    contents = new RedisContents(server);
    RedisStore store = RedisStore.connect(server.uri());
    backend = store.locks();
    locks = guard(store).locks();
  }

  @BeforeEach
  final void emptyServer() {
    server.command("FLUSHALL");
  }

  @AfterAll
  final void stopServer() {
    guards.forEach(SyncGuard::close);
    server.close();
  }

  /** Opens a further client, closed after the tests of the class. */
  final RedisStore open(RedisOptions options) {
    RedisStore store = RedisStore.connect(server.uri(), options);
    guard(store);
    return store;
  }

  private SyncGuard guard(RedisStore store) {
    SyncGuard guard = SyncGuard.over(store);
    guards.add(guard);
    return guard;
  }

  final AcquireAttempt acquire(LockBackend by, String key, LockId lockId) {
    return by.acquire(new AcquireRequest(ResourceKey.of(key), lockId, TTL, false), NEVER);
  }

  /** Releases as a handle does, which knows the key too. */
  final ReleaseResult release(String key, LockId lockId) {
    return backend.release(new LockReference(lockId, ResourceKey.of(key)), TTL);
  }

  /** Releases as somebody does who has nothing but the lockId. */
  final ReleaseResult release(LockId lockId) {
    return backend.release(new LockReference(lockId, null), TTL);
  }

  /** Asserts that Redis deletes the lock's record and its index together, 5 s after the expiry. */
  final void assertBothOutlive(Instant expiresAt, String lockKey, String indexKey) {
    long goesAtMs = contents.all().get(lockKey).expiresAtMs();
    assertThat(goesAtMs)
        .isCloseTo(expiresAt.plus(OUTLIVES_EXPIRY).toEpochMilli(), within(CLOCK_STEPS_MS));
    assertThat(contents.all().get(indexKey).expiresAtMs())
        .isCloseTo(goesAtMs, within(CLOCK_STEPS_MS));
  }
}
