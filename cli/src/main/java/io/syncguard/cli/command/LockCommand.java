package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.output.Json;
import io.syncguard.cli.output.LockReport;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "lock",
    header = "Take, extend, release or show a lock, from a script.",
    description = {
      "Where 'syncguard run' does not fit. No process holds what is acquired here: it lives"
          + " until it is released, or until its time is over.",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  lock=$(syncguard lock acquire deploy --ttl 10m) || exit",
      "  set -- $lock",
      "  export SYNCGUARD_LOCK_ID=$1",
      "  ./deploy.sh --fence \"$2\"",
      "  syncguard lock release"
    })
public final class LockCommand {

  private static final String LOCK_ID =
      "What 'lock acquire' or 'lock try' printed. Default: $SYNCGUARD_LOCK_ID, which other users do not see in"
          + " the list of processes.";

  private static final String KEY = "What to lock: 1 to 512 bytes.";
  private static final String TTL = "How long the lock lives. Default: 30s.";
  private static final String PRINTED =
      "Prints the lock's id, a space, and the fencing token. Every user who has the id can"
          + " extend and release the lock.";

  private final SyncguardCommand root;

  LockCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Command(
      name = "acquire",
      header = "Wait for a lock, take it, and print its id and its fencing token.",
      description = PRINTED,
      footerHeading = "%nExit code:%n",
      footer = {
        "  0 if it was acquired; 75 if it was busy all the time; 74 if that could not be printed, and",
        "  the lock was released again.",
        "",
        "Example:",
        "  syncguard lock acquire deploy --ttl 10m --wait 30s"
      })
  int acquire(
      @Parameters(paramLabel = "KEY", description = KEY) String key,
      @Option(names = "--ttl", paramLabel = "TIME", defaultValue = "30s", description = TTL)
          Duration ttl,
      @Option(
              names = "--wait",
              paramLabel = "TIME",
              description = "How long to wait for it. Default: as long as it takes.")
          @Nullable Duration wait) {
    return take(key, ttl, wait == null ? Patience.FOREVER : wait);
  }

  @Command(
      name = "try",
      header = "Take a lock if it is free, and print its id and its fencing token.",
      description = PRINTED,
      footerHeading = "%nExit code:%n",
      footer = {
        "  0 if it was acquired; 75 if it is busy; 74 if that could not be printed, and the lock was",
        "  released again.",
        "",
        "Example:",
        "  syncguard lock try deploy --ttl 10m"
      })
  int tryLock(
      @Parameters(paramLabel = "KEY", description = KEY) String key,
      @Option(names = "--ttl", paramLabel = "TIME", defaultValue = "30s", description = TTL)
          Duration ttl) {
    return take(key, ttl, Duration.ZERO);
  }

  private int take(String key, Duration ttl, Duration wait) {
    LockOptions options =
        LockOptions.defaults().withTtl(ttl).withMaxWait(wait).withRetry(Patience.RETRIES);
    try (SyncGuard guard = root.openGuard()) {
      LockHandle lock = guard.locks().lock(key, options);
      root.printOrUndo(
          Json.object(
              "lockId", lock.lockId().value(),
              "fence", lock.fence().toString(),
              "expiresAt", lock.expiresAt()),
          lock.lockId().value() + " " + lock.fence(),
          () -> releaseUntold(lock));
      return Exit.OK;
    } catch (SyncGuardException e) {
      throw e.code() == SyncGuardException.Code.ACQUISITION_TIMEOUT ? Failure.busy(key) : e;
    }
  }

  private static String releaseUntold(LockHandle lock) {
    try {
      lock.release();
      return "the lock was released again";
    } catch (SyncGuardException e) {
      return "the lock is held until it expires, since it was not released: " + e.getMessage();
    }
  }

  @Command(
      name = "release",
      header = "Release a lock.",
      footerHeading = "%nExit code:%n",
      footer = "  0 if it was released, 1 if it was not held any more.")
  int release(
      @Parameters(
              paramLabel = "LOCKID",
              defaultValue = "${env:SYNCGUARD_LOCK_ID}",
              description = LOCK_ID)
          String lockId) {
    try (SyncGuard guard = root.openGuard()) {
      ReleaseResult result = guard.locks().release(LockId.of(lockId));
      if (!result.isReleased()) {
        throw Failure.no("the lock was not held any more: " + words(result));
      }
      root.printDoneIfJson(Json.object("released", true), "the lock was released");
      return Exit.OK;
    }
  }

  @Command(
      name = "extend",
      header = "Have a lock live for longer, from now on.",
      footerHeading = "%nExit code:%n",
      footer =
          "  0 if it was extended, 76 if it was lost before: an extension never brings it back.")
  int extend(
      @Parameters(
              paramLabel = "LOCKID",
              defaultValue = "${env:SYNCGUARD_LOCK_ID}",
              description = LOCK_ID)
          String lockId,
      @Option(
              names = "--ttl",
              paramLabel = "TIME",
              defaultValue = "30s",
              description = "How long it lives from now on. Default: 30s.")
          Duration ttl) {
    try (SyncGuard guard = root.openGuard()) {
      if (guard.locks().extend(LockId.of(lockId), ttl) instanceof Extended extended) {
        root.printDoneIfJson(
            Json.object("extended", true, "expiresAt", extended.expiresAt()),
            "the lock was extended");
        return Exit.OK;
      }
      throw Failure.lost("the lock was lost before, and is not extended");
    }
  }

  @Command(
      name = "show",
      header = "Show whether a lock is held, and since when.",
      footerHeading = "%nExit code:%n",
      footer = "  0 if it is held, 1 if it is free.")
  int show(
      @Parameters(paramLabel = "KEY", description = "What is locked.") String key,
      @Option(
              names = "--raw",
              description =
                  "Show the lock's id, with which every user can release it, not its hash.")
          boolean raw) {
    try (SyncGuard guard = root.openGuard()) {
      Optional<RawLockInfo> lock = guard.locks().getByKeyRaw(key);
      if (lock.isEmpty()) {
        root.print(Json.object("held", false, "key", key), "free");
        return Exit.NO;
      }
      root.print(LockReport.fields(lock.get(), raw), LockReport.text(lock.get(), raw));
      return Exit.OK;
    }
  }

  private static String words(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
