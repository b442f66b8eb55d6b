package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.cli.hold.HeldLock;
import io.syncguard.cli.hold.HeldPermit;
import io.syncguard.cli.hold.Hold;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.process.GuardedProcess;
import io.syncguard.cli.process.Signals;
import io.syncguard.lock.LockOptions;
import io.syncguard.semaphore.SemaphoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "run",
    header = "Run a command while holding a lock.",
    customSynopsis = "syncguard run [OPTIONS] KEY [OPTIONS] [--] CMD [ARG…]",
    description = {
      "Takes the lock KEY, runs CMD, and releases the lock when CMD ends. The lock is extended while"
          + " CMD runs; if this process is killed, it is free when its lease is over.",
      "",
      "CMD has this command's input, output and errors, and gets its signals (HUP, INT, TERM, USR1,"
          + " USR2) once each. It finds the fencing token in SYNCGUARD_FENCE and the lock's id in"
          + " SYNCGUARD_LOCK_ID.",
      "",
      "If the lock is lost, CMD and all that it started get TERM, and KILL after the grace."
    },
    footerHeading = "%nExit code:%n",
    footer = {
      "  CMD's own, or 128 + n if signal n ended it; 75 if the lock is busy; 76 if it was lost;",
      "  126 or 127 if CMD cannot be started.",
      "",
      "Examples:",
      "  syncguard run nightly-report -- ./report.sh",
      "  syncguard run deploy --wait 0 -- ./deploy.sh     # or give up at once, with 75",
      "  syncguard run encode --semaphore 4 -- ./encode   # four at once, others wait in line",
      "  syncguard run hourly --every 50m -- ./hourly.sh  # from cron on ten machines: one runs it"
    })
public final class RunCommand implements Callable<Integer> {

  /** As many heartbeats fail before a permit is lost. */
  private static final int HEARTBEATS_PER_LEASE = 3;

  /** How long a release may go on after a signal. */
  private static final long SECONDS_TO_RELEASE = 2;

  private static final Duration SHORTEST_TIME = Duration.ofMillis(1);
  private static final Duration LONGEST_TIME = Duration.ofDays(36_500);

  /** What an outer run may have told of the outer lock. */
  private static final Set<String> TOLD = Set.of("SYNCGUARD_FENCE", "SYNCGUARD_LOCK_ID");

  private final SyncguardCommand root;

  @Parameters(index = "0", paramLabel = "KEY", description = "What to lock: 1 to 512 bytes.")
  private String key = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "CMD",
      parameterConsumer = AllThatFollows.class,
      description = "The command and its arguments; what follows its name is its own.")
  private List<String> command = List.of();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description =
          "How long to wait for the lock, 0 for not at all. Default: as long as it takes.")
  private @Nullable Duration wait;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "How long the lock outlives this process if that is killed. Default: 30s.")
  private Duration lease = Duration.ofSeconds(30);

  @Option(
      names = "--semaphore",
      paramLabel = "N",
      description = "Let N run at once instead of one; the others wait in line.")
  private @Nullable Integer slots;

  @Option(
      names = {"--every", "--min-hold"},
      paramLabel = "TIME",
      defaultValue = "0",
      description =
          "Keep the lock for at least so long, even if CMD ends before; do not wait unless --wait"
              + " says so. Choose it shorter than the time between two runs.")
  private Duration atLeast = Duration.ZERO;

  @Option(
      names = "--max-hold",
      paramLabel = "TIME",
      defaultValue = "30d",
      description = "Count the lock as lost after so long. Default: 30d.")
  private Duration atMost = Duration.ofDays(30);

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "How long CMD has to end after TERM before it is killed. Default: 10s.")
  private Duration grace = Duration.ofSeconds(10);

  @Option(
      names = {"-q", "--quiet"},
      description = "Say nothing if the lock is busy; the exit code says it.")
  private boolean quiet;

  /** A word that looks like an option of this command is CMD's if it follows CMD. */
  static final class AllThatFollows implements IParameterConsumer {

    @Override
    public void consumeParameters(Stack<String> left, ArgSpec command, CommandSpec spec) {
      List<String> words = new ArrayList<>(left.size());
      while (!left.isEmpty()) {
        words.add(left.pop());
      }
      command.setValue(words);
    }
  }

  RunCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (slots != null && !atLeast.isZero()) {
      throw Failure.usage("--every is for locks; it cannot be used with --semaphore");
    }
    checkTimes();
    // While the store is opened, which may hang, signals end this process as they end any other.
    try (SyncGuard guard = root.openGuard();
        Signals signals = new Signals()) {
      Optional<Hold> hold = acquire(guard, signals);
      return hold.isPresent() ? runUnder(hold.get(), signals) : Exit.BUSY;
    }
  }

  /** Before anything is locked: what is found out later would leave the lock behind. */
  private void checkTimes() {
    check("--lease", lease, SHORTEST_TIME);
    check("--max-hold", atMost, SHORTEST_TIME);
    check("--every", atLeast, Duration.ZERO);
    check("--grace", grace, Duration.ZERO);
  }

  private static void check(String option, Duration time, Duration shortest) {
    if (time.compareTo(shortest) < 0 || time.compareTo(LONGEST_TIME) > 0) {
      throw Failure.usage(
          option + " is from " + shortest.toMillis() + " ms to " + LONGEST_TIME.toDays() + " days");
    }
  }

  private Optional<Hold> acquire(SyncGuard guard, Signals signals) {
    try {
      return Optional.of(slots == null ? lock(guard, signals) : permit(guard, slots, signals));
    } catch (SyncGuardException e) {
      switch (e.code()) {
        case ABORTED -> throw signals.reason().orElseThrow(() -> e);
        case ACQUISITION_TIMEOUT -> {
          if (quiet) {
            return Optional.empty();
          }
          throw Failure.busy(key);
        }
        default -> throw e;
      }
    }
  }

  private Hold lock(SyncGuard guard, Signals signals) {
    LockOptions options =
        LockOptions.defaults().withTtl(lease).withMaxWait(patience()).withRetry(Patience.RETRIES);
    return new HeldLock(
        guard.locks(),
        guard.locks().cancelledBy(signals.whileWaiting()).lock(key, options),
        lease,
        atMost);
  }

  private Hold permit(SyncGuard guard, int slots, Signals signals) {
    SemaphoreOptions options =
        SemaphoreOptions.defaults()
            .withHeartbeat(lease.dividedBy(HEARTBEATS_PER_LEASE))
            .withTtl(atMost);
    return new HeldPermit(
        guard
            .semaphore(key, slots, options)
            .cancelledBy(signals.whileWaiting())
            .acquire(patience()));
  }

  private Duration patience() {
    if (wait != null) {
      return wait;
    }
    return atLeast.isZero() ? Patience.FOREVER : Duration.ZERO;
  }

  private int runUnder(Hold hold, Signals signals) throws InterruptedException {
    GuardedProcess process = start(hold, signals);
    AtomicBoolean lost = new AtomicBoolean();
    CountDownLatch terminated = new CountDownLatch(1);
    hold.onLost(
        () -> {
          lost.set(true);
          process.terminate(grace);
          terminated.countDown();
        });
    signals.passTo(process);
    int code = process.await();
    if (lost.get()) {
      // A signal must not cut this short: what CMD started may live until the grace is over.
      terminated.await();
      throw Failure.lost("the lock on '" + key + "' was lost, and the command terminated");
    }
    signals.onceEnded(() -> leave(lost.get() ? Exit.LOST : code));
    if (!end(hold)) {
      throw Failure.lost(
          "the lock on '" + key + "' was lost before the command ended, with code " + code);
    }
    return code;
  }

  private GuardedProcess start(Hold hold, Signals signals) throws InterruptedException {
    try {
      signals.prepareToPass();
      return GuardedProcess.start(command, TOLD, hold.environment());
    } catch (RuntimeException | Error e) {
      hold.end(Duration.ZERO);
      throw e;
    }
  }

  /**
   * The command has done its work: the store has a moment to answer, as a terminal's interrupt may
   * well come when CMD has just ended of it; then it is not waited for.
   */
  private void leave(int code) {
    try {
      TimeUnit.SECONDS.sleep(SECONDS_TO_RELEASE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    root.terminal()
        .err()
        .println("syncguard: ended by a signal; the lock may be held until it expires");
    Runtime.getRuntime().halt(code);
  }

  /** The command has done its work, so what it returned counts even if the store fails. */
  private boolean end(Hold hold) throws InterruptedException {
    try {
      return hold.end(atLeast);
    } catch (SyncGuardException e) {
      root.terminal()
          .err()
          .println("syncguard: the lock is held until it expires, because: " + e.getMessage());
      return true;
    }
  }
}
