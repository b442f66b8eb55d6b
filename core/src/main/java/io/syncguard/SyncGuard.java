package io.syncguard;

import io.syncguard.counter.Counters;
import io.syncguard.internal.GuardContext;
import io.syncguard.internal.Lazy;
import io.syncguard.internal.limit.StoreCounters;
import io.syncguard.internal.limit.StoreRateLimiter;
import io.syncguard.internal.lock.LockEngine;
import io.syncguard.internal.lock.StoreLocks;
import io.syncguard.internal.secret.StoreSecrets;
import io.syncguard.internal.semaphore.SemaphoreEngine;
import io.syncguard.internal.semaphore.StoreSemaphores;
import io.syncguard.limit.RateLimiter;
import io.syncguard.lock.Locks;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.secret.Secrets;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.semaphore.Semaphores;
import io.syncguard.spi.ClockSkew;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The door: coordinates processes through one store. Open one for the life of the application,
 * share it between threads, close it at the end. Thread-safe.
 */
public final class SyncGuard implements AutoCloseable {

  private static final String EMBEDDED = "sqlite:";

  private final Store store;
  private final GuardOptions options;
  private final GuardContext context;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final LockEngine lockEngine;
  private final Locks locks;
  private final Lazy<SemaphoreEngine> semaphoreEngine;

  private SyncGuard(Store store, GuardOptions options) {
    this.store = store;
    this.options = options;
    this.context = new GuardContext(store, options);
    this.lockEngine = new LockEngine(context);
    this.locks = new StoreLocks(lockEngine);
    this.semaphoreEngine = new Lazy<>(() -> new SemaphoreEngine(context));
  }

  /**
   * Opens the embedded store, a SQLite file at a place of this user's that the store's guide names;
   * blocks while it is opened. Processes of this user on this machine share it.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if the module {@code syncguard-sqlite} is
   *     not on the class path
   */
  public static SyncGuard open() {
    return open(EMBEDDED);
  }

  /** Opens the store that the URI names, such as {@code memory:}; may block while it connects. */
  public static SyncGuard open(String uri) {
    return open(uri, GuardOptions.defaults());
  }

  /**
   * Opens the store that the URI names; may block while it connects.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if no store on the class path has its
   *     scheme
   */
  public static SyncGuard open(String uri, GuardOptions options) {
    Objects.requireNonNull(options, "The options must not be null");
    return over(StoreProvider.openStore(uri, options.timeSource()), options);
  }

  /** Returns at once a guard over a store that was opened before, and that closing it closes. */
  public static SyncGuard over(Store store) {
    return over(store, GuardOptions.defaults());
  }

  /** Returns at once a guard over a store that was opened before, and that closing it closes. */
  public static SyncGuard over(Store store, GuardOptions options) {
    Objects.requireNonNull(store, "The store must not be null");
    Objects.requireNonNull(options, "The options must not be null");
    return new SyncGuard(store, options);
  }

  /** Returns at once the locks of the store. */
  public Locks locks() {
    return locks;
  }

  /**
   * Returns at once the semaphores of the store.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if the store has none
   */
  public Semaphores semaphores() {
    store.semaphores();
    return new StoreSemaphores(semaphoreEngine.get());
  }

  /** Returns at once the semaphore of this name, with the default options. */
  public FairSemaphore semaphore(String name, int limit) {
    return semaphore(name, limit, SemaphoreOptions.defaults());
  }

  /**
   * Returns at once the semaphore of this name, without asking the store.
   *
   * @param limit how many may hold a permit at a time; the same in every process
   */
  public FairSemaphore semaphore(String name, int limit, SemaphoreOptions options) {
    return semaphores().get(name, limit, options);
  }

  /**
   * Returns at once the secrets of the store.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if the store has none
   */
  public Secrets secrets() {
    store.secrets();
    return new StoreSecrets(context);
  }

  /**
   * Returns at once the limited counters of the store.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if the store has none
   */
  public Counters counters() {
    store.limits();
    return new StoreCounters(context);
  }

  /**
   * Returns at once the rate limiter of this name, without asking the store.
   *
   * @param permits how many are allowed in the time; the same in every process
   * @param burst how many are allowed at once after a pause; the same in every process
   * @throws SyncGuardException with code INVALID_ARGUMENT for a rate or a burst that cannot be, or
   *     if the store has no rate limiters
   */
  public RateLimiter rateLimiter(String name, long permits, Duration per, long burst) {
    store.limits();
    return StoreRateLimiter.of(context, name, permits, per, burst);
  }

  /**
   * Blocks while the store creates the tables that it needs where they are missing, as an operator
   * does once and again after an upgrade; does nothing on a store that needs none.
   *
   * @throws SyncGuardException with code AUTH_FAILED if the user may not create them
   */
  public void setupSchema() {
    openStore().setupSchema();
  }

  /**
   * Blocks while the store is asked what it is and how it is set up, to tell whether it is fit for
   * this. Changes nothing.
   *
   * @throws SyncGuardException if it cannot be asked
   */
  public List<Finding> examine() {
    return openStore().examine();
  }

  /**
   * Blocks while this machine's clock is compared with the store's; empty if it does not matter,
   * because the store's own clock decides.
   */
  public Optional<ClockSkew> measureClockSkew() {
    return openStore().measureClockSkew();
  }

  /**
   * Returns at once a walk through the live locks, with raw identifiers: an operator can take a
   * lock away by {@link Locks#release} with its id.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store cannot list them
   */
  public Scan<RawLockInfo> scanLocks() {
    return openStore().scanLocks();
  }

  /**
   * Returns at once a walk through the semaphores that have holders or waiters.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store cannot list them
   */
  public Scan<SemaphoreStats> scanSemaphores() {
    return openStore().scanSemaphores();
  }

  private Store openStore() {
    context.gate().throwIfClosed();
    return store;
  }

  /**
   * Closes the guard in good order and blocks meanwhile; later calls do nothing.
   *
   * <p>From its beginning no lock and no permit can be acquired, and all waits fail. The holders
   * have the {@linkplain GuardOptions#withCloseTimeout close timeout} to let go; everything else
   * still works for them. Then the guard releases what is left, for at most the {@linkplain
   * GuardOptions#withDisposeTimeout dispose timeout}, and tells their loss listeners. An interrupt
   * ends the time for tasks, not the releases. After {@link GuardOptions#withKeepOnClose} what is
   * held stays so until it expires.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    context.entrance().close();
    options.closeTimeout().ifPresentOrElse(this::releaseHeld, this::endWaits);
    context.gate().close();
    lockEngine.close();
    semaphoreEngine.ifPresent(SemaphoreEngine::close);
    store.close();
  }

  /** What is released goes out at once, all of it together. */
  private void releaseHeld(Duration timeForTasks) {
    Semaphore done = new Semaphore(0);
    endTasks(timeForTasks).thenRun(done::release);
    try {
      await(done, timeForTasks, options.disposeTimeout());
    } catch (InterruptedException e) {
      endTasks(Duration.ZERO);
      awaitReleases(done);
      Thread.currentThread().interrupt();
    }
  }

  /** Waits that end leave the queue, for which the store must still be there. */
  private void endWaits() {
    List<CompletableFuture<Void>> ending = new ArrayList<>();
    ending.add(lockEngine.endWaits().toCompletableFuture());
    semaphoreEngine.ifPresent(present -> ending.add(present.endWaits().toCompletableFuture()));
    Semaphore done = new Semaphore(0);
    CompletionStage<Void> ended =
        CompletableFuture.allOf(ending.toArray(CompletableFuture<?>[]::new));
    ended.thenRun(done::release);
    awaitReleases(done);
  }

  private CompletionStage<Void> endTasks(Duration timeForTasks) {
    List<CompletableFuture<Void>> ending = new ArrayList<>();
    ending.add(lockEngine.close(timeForTasks).toCompletableFuture());
    semaphoreEngine.ifPresent(
        present -> ending.add(present.close(timeForTasks).toCompletableFuture()));
    return CompletableFuture.allOf(ending.toArray(CompletableFuture<?>[]::new));
  }

  private void awaitReleases(Semaphore done) {
    try {
      await(done, Duration.ZERO, options.disposeTimeout());
    } catch (InterruptedException again) {
      // A second interrupt, or one from before: the caller does not want to wait.
      Thread.currentThread().interrupt();
    }
  }

  private void await(Semaphore done, Duration first, Duration then) throws InterruptedException {
    long nanos = TimeSource.saturatedNanos(first) + TimeSource.saturatedNanos(then);
    options.timeSource().await(done, nanos < 0 ? Long.MAX_VALUE : nanos);
  }
}
