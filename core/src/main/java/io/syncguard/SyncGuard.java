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
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.function.Function;

/**
 * The door: coordinates processes through one store. Open one for the life of the application,
 * share it between threads, close it at the end. Thread-safe.
 */
public final class SyncGuard implements AutoCloseable {

  private static final String EMBEDDED = "sqlite:";

  private final Store store;
  private final GuardOptions options;
  private final Locks locks;
  private final Lazy<Semaphores> semaphores = new Lazy<>(this::openSemaphores);
  private final Lazy<Secrets> secrets = new Lazy<>(this::openSecrets);
  private final Lazy<LimitBackend> limits = new Lazy<>(this::openLimits);
  private final Lazy<Counters> counters = new Lazy<>(() -> new Counters(limits()));
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
    return over(StoreProvider.openStore(uri, options.timeSource()), options);
  }

  /** Returns at once a guard over a store that was opened before, and that closing it closes. */
  public static SyncGuard over(Store store) {
    return over(store, GuardOptions.defaults());
  }

  /** Returns at once a guard over a store that was opened before, and that closing it closes. */
  public static SyncGuard over(Store store, GuardOptions options) {
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

  private Semaphores openSemaphores() {
    SemaphoreBackend backend = store.semaphores();
    return new Semaphores(observed(backend, t -> t.observe(backend)), options);
  }

  private Secrets openSecrets() {
    SecretBackend backend = store.secrets();
    return new Secrets(observed(backend, t -> t.observe(backend)));
  }

  private LimitBackend openLimits() {
    LimitBackend backend = store.limits();
    return observed(backend, t -> t.observe(backend));
  }

  private LimitBackend limits() {
    return limits.get();
  }

  private RateLimiters openRateLimiters() {
    return new RateLimiters(limits(), options);
  }

  private <T> T observed(T backend, Function<Telemetry, T> observation) {
    return options.telemetry().map(observation).orElse(backend);
  }

  /**
   * Blocks while the store is closed; later calls do nothing. Whoever waits for a lock or a permit
   * fails; what is still held stays so until it expires, so close handles and permits first.
   */
  @Override
  public void close() {
    locks.close();
    semaphores.ifPresent(Semaphores::close);
    secrets.ifPresent(Secrets::close);
    counters.ifPresent(Counters::close);
    rateLimiters.ifPresent(RateLimiters::close);
    store.close();
  }
}
