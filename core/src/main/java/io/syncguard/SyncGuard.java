package io.syncguard;

import io.syncguard.counter.Counters;
import io.syncguard.internal.Lazy;
import io.syncguard.limit.RateLimiter;
import io.syncguard.limit.RateLimiters;
import io.syncguard.lock.Locks;
import io.syncguard.secret.Secrets;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.semaphore.Semaphores;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The door: coordinates processes through one store. Open one for the life of the application,
 * share it between threads, close it at the end. Thread-safe.
 */
public final class SyncGuard implements AutoCloseable {

  private static final String EMBEDDED = "sqlite:";

  private final Store store;
  private final GuardOptions options;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean closed;
  private final Locks locks;
  private final Lazy<Semaphores> semaphores = new Lazy<>(this::openSemaphores);
  private final Lazy<Secrets> secrets = new Lazy<>(this::openSecrets);
  private final Lazy<LimitBackend> limits = new Lazy<>(this::openLimits);
  private final Lazy<Counters> counters = new Lazy<>(this::openCounters);
  private final Lazy<RateLimiters> rateLimiters = new Lazy<>(this::openRateLimiters);

  private SyncGuard(Store store, GuardOptions options) {
    this.store = store;
    this.options = options;
    LockBackend backend = store.locks();
    this.locks = new Locks(observed(backend, t -> t.observe(backend)), options);
  }

  /**
   * Opens the embedded store, a SQLite file at a place of this user's that the store's guide names;
   * blocks while it is opened. Processes of this user on this machine share it.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if the module {@code syncguard-sql} is
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
    return semaphores.get();
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
    return secrets.get();
  }

  /**
   * Returns at once the limited counters of the store.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if the store has none
   */
  public Counters counters() {
    return counters.get();
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
    return rateLimiters.get().get(name, permits, per, burst);
  }

  /**
   * Blocks while the store creates the tables that it needs where they are missing, as an operator
   * does once and again after an upgrade; does nothing on a store that needs none.
   *
   * @throws SyncGuardException with code AUTH_FAILED if the user may not create them
   */
  public void setupSchema() {
    if (closed) {
      throw SyncGuardException.closed("This SyncGuard is closed", null);
    }
    store.setupSchema();
  }

  private Semaphores openSemaphores() {
    SemaphoreBackend backend = store.semaphores();
    Semaphores opened = new Semaphores(observed(backend, t -> t.observe(backend)), options);
    if (closing.get()) {
      opened.endWaits();
    }
    return closedIfLate(opened, Semaphores::close);
  }

  private Secrets openSecrets() {
    SecretBackend backend = store.secrets();
    return closedIfLate(
        new Secrets(observed(backend, t -> t.observe(backend)), options), Secrets::close);
  }

  private LimitBackend openLimits() {
    LimitBackend backend = store.limits();
    return observed(backend, t -> t.observe(backend));
  }

  private LimitBackend limits() {
    return limits.get();
  }

  private Counters openCounters() {
    return closedIfLate(new Counters(limits(), options), Counters::close);
  }

  private RateLimiters openRateLimiters() {
    RateLimiters opened = new RateLimiters(limits(), options);
    if (closing.get()) {
      opened.endWaits();
    }
    return closedIfLate(opened, RateLimiters::close);
  }

  /** What is asked for when the guard is closed is closed as well. */
  private <T> T closedIfLate(T opened, Consumer<T> close) {
    if (closed) {
      close.accept(opened);
    }
    return opened;
  }

  private <T> T observed(T backend, Function<Telemetry, T> observation) {
    return options.telemetry().map(observation).orElse(backend);
  }

  /**
   * Closes the guard in good order and blocks meanwhile; later calls do nothing.
   *
   * <p>From its beginning no lock and no permit can be acquired, and whoever waits for one fails.
   * Who holds one has the {@linkplain GuardOptions#withCloseTimeout close timeout} to let go of it;
   * everything else still works for them. Then the guard releases what is left, for at most the
   * {@linkplain GuardOptions#withDisposeTimeout dispose timeout}, and tells their loss listeners.
   * An interrupt ends the time for tasks, not the releases. After {@link
   * GuardOptions#withKeepOnClose} what is held stays so until it expires.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    rateLimiters.ifPresent(RateLimiters::endWaits);
    options.closeTimeout().ifPresentOrElse(this::releaseHeld, this::endWaits);
    closed = true;
    locks.close();
    semaphores.ifPresent(Semaphores::close);
    secrets.ifPresent(Secrets::close);
    counters.ifPresent(Counters::close);
    rateLimiters.ifPresent(RateLimiters::close);
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
    semaphores.ifPresent(
        present -> {
          Semaphore done = new Semaphore(0);
          present.endWaits().thenRun(done::release);
          awaitReleases(done);
        });
  }

  private CompletionStage<Void> endTasks(Duration timeForTasks) {
    List<CompletableFuture<Void>> ending = new ArrayList<>();
    ending.add(locks.close(timeForTasks).toCompletableFuture());
    semaphores.ifPresent(present -> ending.add(present.close(timeForTasks).toCompletableFuture()));
    return CompletableFuture.allOf(ending.toArray(CompletableFuture<?>[]::new));
  }

  private void awaitReleases(Semaphore done) {
    try {
      await(done, Duration.ZERO, options.disposeTimeout());
    } catch (InterruptedException again) {
      // Who interrupts twice, or had interrupted before, does not want to wait.
      Thread.currentThread().interrupt();
    }
  }

  private void await(Semaphore done, Duration first, Duration then) throws InterruptedException {
    long nanos = TimeSource.saturatedNanos(first) + TimeSource.saturatedNanos(then);
    options.timeSource().await(done, nanos < 0 ? Long.MAX_VALUE : nanos);
  }
}
