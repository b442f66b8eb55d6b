package io.syncguard.redis.lock;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.WayToWait;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lock that a process passes on to its own next waiter; time stands still, so that it may. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RedisHandOverTest {

  private static final String KEY = "k\"}:{/\u00e9";
  private static final String LOCK_KEY = "syncguard:" + KEY;
  private static final String FENCE_KEY = "syncguard:fence:syncguard:" + KEY;

  private final MovableTime time = MovableTime.frozen();
  private final RedisServer server = RedisServer.start();
  private final SyncGuard guard =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose().withTimeSource(time));
  private final SyncGuard other =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());
  private final Locks locks = guard.locks();

  @AfterEach
  void stop() {
    guard.close();
    other.close();
    server.close();
  }

  private CompletableFuture<LockHandle> waiting() {
    return WayToWait.ASYNC.waitFor(locks, KEY, WayToWait.TOLD_ONLY);
  }

  /** A holder that had to wait for the lock, and is known to have it by those behind it. */
  private LockHandle holderFromTheLine() throws Exception {
    LockHandle first = take(other.locks(), KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> waiting = waiting();
    WayToWait.awaitTracked(server);
    first.close();
    return WayToWait.got(waiting);
  }

  private long scriptsRun() {
    return Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)")
        .matcher(String.valueOf(server.command("INFO", "commandstats")))
        .results()
        .map(MatchResult::group)
        .mapToLong(stat -> Long.parseLong(stat.replaceFirst(".*=", "")))
        .sum();
  }

  @Test
  void theLockIsPassedOnInOneStep() throws Exception {
    WayToWait.got(handedOver(holderFromTheLine())).close();
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    long before = scriptsRun();

    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);

    LockHandle taken = WayToWait.got(next);
    assertThat(scriptsRun() - before).isEqualTo(1);
    assertThat(taken.fence().toLong()).isEqualTo(holder.fence().toLong() + 1);
    assertThat(other.locks().owns(taken.lockId())).isTrue();
    assertThat(other.locks().getByKey(KEY).orElseThrow().fence()).isEqualTo(taken.fence());
    assertThat(server.command("EXISTS", "syncguard:id:" + holder.lockId().value())).isEqualTo(0L);
    assertThat(server.command("PEXPIRETIME", LOCK_KEY))
        .isEqualTo(server.command("PEXPIRETIME", "syncguard:id:" + taken.lockId().value()));
    assertThat(taken.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  private CompletableFuture<LockHandle> handedOver(LockHandle holder) {
    CompletableFuture<LockHandle> next = waiting();
    holder.close();
    return next;
  }

  @Test
  void anUnsoundCounterFailsTheWaiterAndNotTheRelease() throws Exception {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    server.command("SET", FENCE_KEY, "007");
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(next.handle((lock, failure) -> failure).get(20, TimeUnit.SECONDS)).isNotNull();
    assertThat(server.command("GET", FENCE_KEY)).isEqualTo("007");
  }

  @Test
  void aLockThatWasDeletedIsNotFoundByItsHolderAndTakenByTheNext() throws Exception {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    server.command("DEL", LOCK_KEY, "syncguard:id:" + holder.lockId().value());
    assertThat(holder.release()).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(WayToWait.got(next).fence().isNewerThan(holder.fence())).isTrue();
  }

  @Test
  void aLockThatAnotherTookMeanwhileStaysTheirs() throws Exception {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    server.command("DEL", LOCK_KEY, "syncguard:id:" + holder.lockId().value());
    LockHandle theirs = take(other.locks(), KEY, WayToWait.HOUR);
    assertThat(holder.release()).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(other.locks().owns(theirs.lockId())).isTrue();
    assertThat(next).isNotDone();
    theirs.close();
    assertThat(WayToWait.got(next).isHeld()).isTrue();
  }
}
