package io.syncguard.testkit.process;

import io.syncguard.spi.OperationExecutor;
import io.syncguard.testkit.history.HandOffHistory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Processes whose threads pass the slots of one semaphore, or one lock, on to each other. Each is a
 * JVM with this one's class path that opens the store by its URI. Every passage is recorded: the
 * ticket, how many slots the store counted or which fence it gave, and when it joined, acquired and
 * released. Not thread-safe; setters return at once.
 */
public final class ProcessHandOffs {
  private final String uri;
  private final String name = "testkit:hand-offs:" + UUID.randomUUID();
  private int processes = 4;
  private int threads = 8;
  private int limit = 4;
  private boolean isLock;
  private int handOffs = 4000;
  private Duration hold = Duration.ofNanos(20_000);
  private Class<? extends UnaryOperator<OperationExecutor>> decoration = Undecorated.class;

  private ProcessHandOffs(String uri) {
    this.uri = uri;
  }

  /** Returns at once; four processes of eight threads pass on four slots four thousand times. */
  public static ProcessHandOffs on(String uri) {
    return new ProcessHandOffs(uri);
  }

  /** Has this many processes contend. */
  public ProcessHandOffs processes(int count) {
    this.processes = count;
    return this;
  }

  /** Has this many threads contend in each process. */
  public ProcessHandOffs threads(int count) {
    this.threads = count;
    return this;
  }

  /** Gives the semaphore this many slots. */
  public ProcessHandOffs limit(int slots) {
    this.limit = slots;
    return this;
  }

  /** Has a lock passed on, and no semaphore. */
  public ProcessHandOffs ofLock() {
    this.isLock = true;
    return this;
  }

  /**
   * Has a slot or the lock acquired this often, all processes together, rounded up to a multiple of
   * them.
   */
  public ProcessHandOffs handOffs(int count) {
    this.handOffs = count;
    return this;
  }

  /** Has every slot, or the lock, held for about this long. */
  public ProcessHandOffs hold(Duration duration) {
    this.hold = duration;
    return this;
  }

  /** Puts something between store and user in each process, such as a fault to be found. */
  public ProcessHandOffs decoratedBy(Class<? extends UnaryOperator<OperationExecutor>> planted) {
    this.decoration = planted;
    return this;
  }

  /**
   * Blocks until all is done and all processes have ended.
   *
   * @throws IllegalStateException if a process fails or there is no progress
   */
  public HandOffResult run() {
    try (HandOffRun run = new HandOffRun(this)) {
      return run.toItsEnd();
    }
  }

  String uri() {
    return uri;
  }

  String name() {
    return name;
  }

  int processes() {
    return processes;
  }

  HandOffHistory emptyHistory() {
    return isLock ? HandOffHistory.ofLock() : new HandOffHistory(limit);
  }

  List<String> workerArgs() {
    return List.of(
        uri,
        name,
        isLock ? HandOffWorker.LOCK : Integer.toString(limit),
        Integer.toString(threads),
        Integer.toString((handOffs + processes - 1) / processes),
        Long.toString(hold.toNanos()),
        decoration.getName());
  }
}
