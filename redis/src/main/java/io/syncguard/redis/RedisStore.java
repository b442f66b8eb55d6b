package io.syncguard.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.AwaitingLimitBackend;
import io.syncguard.spi.AwaitingSecretBackend;
import io.syncguard.spi.Finding;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.Scan;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.Store;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** SyncGuard on Redis. Thread-safe; one is enough for an application. */
public final class RedisStore implements Store {

  private static final int TRIES_TO_LEARN_THE_REASON = 10;

  private final Connections connections;
  private final RedisOptions options;
  private final Runnable afterwards;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final RedisLocks locks;
  private final RedisSemaphores semaphores;
  private final SecretBackend secrets;
  private final LimitBackend limits;

  private RedisStore(
      Connections connections,
      KeyLayout layout,
      SemaphoreLayout semaphoreLayout,
      RedisOptions options,
      Runnable afterwards) {
    this.connections = connections;
    this.options = options;
    this.afterwards = afterwards;
    ScriptRunner runner = new ScriptRunner(connections, options.commandTimeout());
    this.locks = new RedisLocks(connections, layout, options, runner);
    this.semaphores =
        new RedisSemaphores(
            connections,
            semaphoreLayout,
            new AsyncRedisSemaphores(connections, semaphoreLayout, options, runner));
    KeyScripts scripts = new KeyScripts(connections, runner);
    LimitLayout limitLayout = new LimitLayout(options.keyPrefix());
    this.secrets = new AwaitingSecretBackend(new AsyncRedisSecrets(scripts, limitLayout));
    this.limits = new AwaitingLimitBackend(new AsyncRedisLimits(scripts, limitLayout));
  }

  /** Blocks while it connects; see {@link #connect(String, RedisOptions)}. */
  public static RedisStore connect(String uri) {
    return connect(uri, RedisOptions.defaults());
  }

  /**
   * Blocks while it connects. The URI is {@code redis://}, {@code redis-sentinel://} or {@code
   * redis-cluster://}, with {@code rediss} for TLS; its parameters {@code keyPrefix}, {@code
   * semaphoreNamespace}, {@code fences}, {@code cleanupInIsLocked}, {@code timeout}, {@code
   * sslrootcert}, {@code sslcert} and {@code sslkey} prevail over the options.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT for a bad URI, AUTH_FAILED or
   *     SERVICE_UNAVAILABLE if Redis cannot be used
   */
  public static RedisStore connect(String uri, RedisOptions options) {
    RedisUri parsed = RedisUri.parse(uri, options);
    OwnClient client = OwnClient.of(parsed);
    try {
      return client.isCluster()
          ? over(client.cluster(), parsed.options(), client::close)
          : over(client.single(), parsed.servers().get(0), parsed.options(), client::close);
    } catch (RuntimeException e) {
      client.close();
      throw ConnectFailures.naming(parsed.servers(), e);
    }
  }

  /**
   * Blocks while it connects with a client that the caller has, and that stays open when the store
   * is closed. TLS is that client's matter: options that name certificates are refused. Prefer a
   * client that rejects commands while disconnected: others repeat a release by themselves, and it
   * may then be told that there was nothing to release.
   */
  public static RedisStore over(RedisClient client, RedisURI uri, RedisOptions options) {
    options.tls().refuseForCallersClient();
    return over(client, uri, options, () -> {});
  }

  /**
   * As {@link #over(RedisClient, RedisURI, RedisOptions)}, for a cluster. If it asks for a password
   * and the client rejects commands, give its URIs a {@link
   * io.lettuce.core.StaticCredentialsProvider}: with what a URI has by itself, Lettuce may reject
   * the first command to a node for no reason.
   */
  public static RedisStore over(RedisClusterClient client, RedisOptions options) {
    options.tls().refuseForCallersClient();
    return over(client, options, () -> {});
  }

  private static RedisStore over(
      RedisClient client, RedisURI uri, RedisOptions options, Runnable afterwards) {
    StandaloneConnections connections =
        connected(() -> new StandaloneConnections(client, uri, options.commandTimeout()));
    checked(connections, () -> ServerCheck.standalone(connections.shared()));
    return new RedisStore(
        connections,
        new PlainLayout(options.keyPrefix()),
        SemaphoreLayout.plain(options.semaphoreNamespace()),
        options,
        afterwards);
  }

  private static RedisStore over(
      RedisClusterClient client, RedisOptions options, Runnable afterwards) {
    ClusterConnections connections =
        connected(() -> new ClusterConnections(client, options.commandTimeout()));
    checked(connections, () -> ServerCheck.cluster(connections.shared()));
    return new RedisStore(
        connections,
        new ClusterLayout(options.keyPrefix()),
        SemaphoreLayout.tagged(options.semaphoreNamespace()),
        options,
        afterwards);
  }

  static <T> T connected(Supplier<T> connecting) {
    for (int left = TRIES_TO_LEARN_THE_REASON; ; left--) {
      try {
        return connecting.get();
      } catch (RuntimeException e) {
        if (left == 0 || !RedisFailures.isReasonLost(e)) {
          throw RedisFailures.of(e, SyncGuardException.Context.NONE);
        }
      }
    }
  }

  private static void checked(Connections connections, Runnable check) {
    try {
      check.run();
    } catch (RuntimeException e) {
      connections.close();
      throw RedisFailures.of(e, SyncGuardException.Context.NONE);
    }
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
    if (closed.get()) {
      throw SyncGuardException.closed("The Redis store is closed", null);
    }
    try {
      return new RedisFindings(connections, options).examine();
    } catch (RuntimeException e) {
      throw RedisFailures.of(e, SyncGuardException.Context.NONE);
    }
  }

  /**
   * Blocks until all connections are closed, but not for long; on a thread of the driver's, which
   * would wait for itself, it returns at once. Later calls do nothing. An interrupt is kept.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (Thread.currentThread() instanceof FastThreadLocalThread) {
      new Thread(this::closeAll, "syncguard-redis-close").start();
    } else {
      closeAll();
    }
  }

  private void closeAll() {
    try {
      semaphores.close();
    } finally {
      try {
        connections.close();
      } finally {
        afterwards.run();
      }
    }
  }
}
