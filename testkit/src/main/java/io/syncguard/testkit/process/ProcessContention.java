package io.syncguard.testkit.process;

import io.syncguard.spi.OperationExecutor;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Processes that contend for one lock, with some killed at random and replaced. Each is a JVM with
 * this one's class path that opens the store by its URI. Not thread-safe; setters return at once.
 *
 * <p>A killed holder's lock comes free after its lifetime and the tolerance, so a short lifetime
 * makes for a short run.
 */
public final class ProcessContention {
  private final String uri;
  private final String key = "testkit:processes:" + UUID.randomUUID();
  private int processes = 4;
  private int acquisitions = 2000;
  private int kills;
  private Duration ttl = Duration.ofSeconds(1);
  private long seed = 1;
  private Class<? extends UnaryOperator<OperationExecutor>> decoration = Undecorated.class;

  private ProcessContention(String uri) {
    this.uri = uri;
  }

  /** Returns at once; four processes take a new key of this store two thousand times. */
  public static ProcessContention on(String uri) {
    return new ProcessContention(uri);
  }

  /** Has this many processes contend at a time. */
  public ProcessContention processes(int count) {
    this.processes = count;
    return this;
  }

  /** Ends when the lock was taken this often, all processes together. */
  public ProcessContention acquisitions(int count) {
    this.acquisitions = count;
    return this;
  }

  /** Kills this many processes, half of them when they have just taken the lock. */
  public ProcessContention kills(int count) {
    this.kills = count;
    return this;
  }

  /** Gives each lock this lifetime. */
  public ProcessContention ttl(Duration lifetime) {
    this.ttl = lifetime;
    return this;
  }

  /** Chooses which process is killed when, and how long each holds the lock. */
  public ProcessContention seed(long number) {
    this.seed = number;
    return this;
  }

  /** Puts something between store and user in each process, such as a fault to be found. */
  public ProcessContention decoratedBy(Class<? extends UnaryOperator<OperationExecutor>> planted) {
    this.decoration = planted;
    return this;
  }

  /**
   * Blocks until the lock was taken as often as demanded and all processes have ended.
   *
   * @throws IllegalStateException if a process fails or there is no progress
   */
  public ContentionResult run() {
    try (ContentionRun run = new ContentionRun(this)) {
      return run.toItsEnd();
    }
  }

  int processes() {
    return processes;
  }

  int acquisitions() {
    return acquisitions;
  }

  int kills() {
    return kills;
  }

  long seed() {
    return seed;
  }

  String key() {
    return key;
  }

  List<String> workerArgs(long workerSeed) {
    return List.of(
        uri, key, Long.toString(ttl.toMillis()), Long.toString(workerSeed), decoration.getName());
  }
}
