package io.syncguard.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.redis.check.RedisFindings;
import io.syncguard.redis.check.ServerCheck;
import io.syncguard.redis.connection.ClusterConnections;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.connection.OwnClient;
import io.syncguard.redis.connection.StandaloneConnections;
import io.syncguard.redis.failure.ConnectFailures;
import io.syncguard.redis.failure.RedisFailures;
import io.syncguard.redis.limit.RedisLimits;
import io.syncguard.redis.lock.ClusterLayout;
import io.syncguard.redis.lock.KeyLayout;
import io.syncguard.redis.lock.PlainLayout;
import io.syncguard.redis.lock.ProcessMark;
import io.syncguard.redis.lock.RedisLocks;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.redis.secret.RedisSecrets;
import io.syncguard.redis.semaphore.RedisSemaphores;
import io.syncguard.redis.semaphore.SemaphoreLayout;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.spi.limit.LimitBackend;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.secret.SecretBackend;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** SyncGuard on Redis. Thread-safe; one is enough for an application. */
public final class RedisStore implements Store {

  private static final int TRIES_TO_LEARN_THE_REASON = 10;

  private final Connections connections;
  private final Runnable afterwards;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final RedisLocks locks;
  private final RedisSemaphores semaphores;
  private final RedisSecrets secrets;
  private final RedisLimits limits;
  private final RedisFindings findings;

  private RedisStore(
      Connections connections,
      KeyLayout layout,
      SemaphoreLayout semaphoreLayout,
      RedisOptions options,
      Runnable afterwards) {
    this.connections = connections;
    this.afterwards = afterwards;
    boolean fencesSurvive = options.fences() == RedisOptions.Fences.SURVIVE_DATA_LOSS;
    ScriptRunner runner = new ScriptRunner(connections, options.commandTimeout());
    this.locks =
        new RedisLocks(
            connections,
            layout,
            runner,
            ProcessMark.random(fencesSurvive, options.releases() == RedisOptions.Releases.GRANT),
            options.cleanupInIsLocked());
    this.semaphores = new RedisSemaphores(connections, semaphoreLayout, runner);
    this.secrets = new RedisSecrets(runner, options.keyPrefix());
    this.limits = new RedisLimits(runner, options.keyPrefix());
    this.findings =
        new RedisFindings(
            connections, options.commandTimeout(), options.keyPrefix(), fencesSurvive);
  }

  /** Blocks while it connects; see {@link #connect(String, RedisOptions)}. */
  public static RedisStore connect(String uri) {
    return connect(uri, RedisOptions.defaults());
  }

  /**
   * Blocks while it connects. The URI is {@code redis://}, {@code redis-sentinel://} or {@code
   * redis-cluster://}, with {@code rediss} for TLS; its parameters {@code keyPrefix}, {@code
   * semaphoreNamespace}, {@code fences}, {@code releases}, {@code cleanupInIsLocked}, {@code
   * timeout}, {@code sslrootcert}, {@code sslcert} and {@code sslkey} prevail over the options.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT for a bad URI, AUTH_FAILED or
   *     SERVICE_UNAVAILABLE if Redis cannot be used
   */
  public static RedisStore connect(String uri, RedisOptions options) {
    RedisUri parsed = RedisUri.parse(uri, options);
    OwnClient client = parsed.client();
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
   * is closed. TLS is set up in that client: options that name certificates are refused. Prefer a
   * client that rejects commands while disconnected: other clients repeat a release by themselves,
   * and the repetition finds nothing to release.
   */
  public static RedisStore over(RedisClient client, RedisURI uri, RedisOptions options) {
    options.tls().refuseForCallersClient();
    return over(client, uri, options, () -> {});
  }

  /**
   * As {@link #over(RedisClient, RedisURI, RedisOptions)}, for a cluster. If it asks for a password
   * and the client rejects commands, give its URIs a {@link
   * io.lettuce.core.StaticCredentialsProvider}: with the provider that a URI has by itself, Lettuce
   * may reject the first command to a node for no reason.
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
          throw RedisFailures.of(e, Subject.NONE);
        }
      }
    }
  }

  private static void checked(Connections connections, Runnable check) {
    try {
      check.run();
    } catch (RuntimeException e) {
      connections.close();
      throw RedisFailures.of(e, Subject.NONE);
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
      return findings.examine();
    } catch (RuntimeException e) {
      throw RedisFailures.of(e, Subject.NONE);
    }
  }

  /**
   * Blocks until all connections are closed, but not for long; on a thread of the driver, which
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
      locks.close();
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
