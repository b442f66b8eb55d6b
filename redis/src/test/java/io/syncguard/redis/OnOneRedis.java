package io.syncguard.redis;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockId;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
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

/** What a test class has to work with: a server of its own, which is empty before each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES)
public abstract class OnOneRedis {

  protected static final Duration TTL = Duration.ofSeconds(30);
  protected static final CancelSignal NEVER = CancelSignal.never();

  private static final Duration OUTLIVES_EXPIRY = Duration.ofSeconds(5);

  /** A script that is held up reads the clock some milliseconds after Redis did for the expiry. */
  private static final long CLOCK_STEPS_MS = 100;

  private final List<SyncGuard> guards = new ArrayList<>();
  protected RedisServer server;
  protected RedisContents contents;
  protected Store store;
  protected SyncGuard guard;
  protected Locks locks;

  @BeforeAll
  final void startServer() {
    server = RedisServer.start();
    contents = new RedisContents(server);
    store = RedisStore.connect(server.uri());
    guard = guard(store);
    locks = guard.locks();
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
  protected final RedisStore open(RedisOptions options) {
    RedisStore further = RedisStore.connect(server.uri(), options);
    guard(further);
    return further;
  }

  private SyncGuard guard(Store over) {
    SyncGuard opened = SyncGuard.over(over);
    guards.add(opened);
    return opened;
  }

  protected final AcquireAttempt acquire(Store by, String key, LockId lockId) {
    return ask(by, new LockOperation.Acquire(ResourceKey.of(key), lockId, TTL, false));
  }

  /** Releases as a handle does, which knows the key too. */
  protected final ReleaseResult release(String key, LockId lockId) {
    return release(store, new LockReference(lockId, ResourceKey.of(key)));
  }

  /** Releases as a client does that has nothing but the lockId. */
  protected final ReleaseResult release(LockId lockId) {
    return release(store, new LockReference(lockId, null));
  }

  protected final ReleaseResult release(Store by, LockReference lock) {
    return ask(by, new LockOperation.Release(lock));
  }

  /** Asserts that Redis deletes the lock's record and its index together, 5 s after the expiry. */
  protected final void assertBothOutlive(Instant expiresAt, String lockKey, String indexKey) {
    long goesAtMs = contents.all().get(lockKey).expiresAtMs();
    assertThat(goesAtMs)
        .isCloseTo(expiresAt.plus(OUTLIVES_EXPIRY).toEpochMilli(), within(CLOCK_STEPS_MS));
    assertThat(contents.all().get(indexKey).expiresAtMs())
        .isCloseTo(goesAtMs, within(CLOCK_STEPS_MS));
  }
}
