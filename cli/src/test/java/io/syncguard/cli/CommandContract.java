package io.syncguard.cli;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockInfo;
import io.syncguard.lock.LockOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What commands do to each other, beyond what each does by itself on every store ({@link
 * CommandMatrixTest}). Each test starts them as processes, as a user does; what they meet, and what
 * they leave, is the library's.
 */
abstract class CommandContract {

  private static final Duration LONG = Duration.ofMinutes(10);

  private Syncguard syncguard;
  private SyncGuard guard;

  /** Returns the URI of a store that is empty. */
  abstract String emptyStore(Path home);

  /** The first run takes longer, as it makes the archive of classes. */
  @BeforeAll
  static void runOnce(@TempDir Path home) throws Exception {
    assertThat(Syncguard.on("memory:", home).run("--version").code()).isZero();
  }

  @BeforeEach
  void open(@TempDir Path home) {
    String uri = emptyStore(home);
    syncguard = Syncguard.on(uri, home);
    guard = SyncGuard.open(uri, GuardOptions.defaults().withKeepOnClose());
  }

  @AfterEach
  void close() {
    guard.close();
  }

  Syncguard syncguard() {
    return syncguard;
  }

  SyncGuard guard() {
    return guard;
  }

  LockHandle hold(String key) {
    return (LockHandle) guard.locks().tryLock(key, LONG);
  }

  @Test
  void aForcedReleaseShowsTheHolderAndFencesIt() throws Exception {
    LockHandle late = hold("k");
    Outcome unasked = syncguard.run("release", "--force", "k");
    assertThat(unasked.code()).isEqualTo(64);
    assertThat(unasked.errors()).contains("fence     " + late.fence(), "--yes");
    assertThat(guard.locks().owns(late.lockId())).isTrue();

    Outcome released = syncguard.run("release", "--force", "--yes", "k", "--json");
    assertThat(released.code()).as("%s", released).isZero();
    assertThat(released.json().get("fence").asText()).isEqualTo(late.fence().toString());
    LockHandle next = hold("k");
    assertThat(late.extend(LONG).isExtended()).isFalse();
    assertThat(next.fence().isNewerThan(late.fence())).isTrue();
  }

  @Test
  void liveLocksAreListedHashedOrRawOrAgainAndAgain() throws Exception {
    LockHandle lock = hold("payroll");
    String hashed = syncguard.run("ls").text();
    assertThat(hashed)
        .contains(KeyHash.of("payroll"), lock.fence().toString())
        .doesNotContain("payroll", lock.lockId().value());
    JsonNode raw = syncguard.run("ls", "--raw", "--json").json();
    assertThat(raw.get("type").asText()).isEqualTo("lock");
    assertThat(raw.get("key").asText()).isEqualTo("payroll");

    try (RunningCommand watching = syncguard.start("ls", "--raw", "--watch", "50ms")) {
      watching.untilItPrints("payroll");
      lock.release();
      watching.untilItPrints("nothing is held");
    }
  }

  @Test
  void aRunHasItsOwnInputOutputErrorsCodeAndFence() throws Exception {
    LockHandle before = hold("k");
    before.release();
    String script = "cat; echo $SYNCGUARD_LOCK_ID $SYNCGUARD_FENCE; echo oops >&2; exit 7";
    Outcome ran = syncguard.runWithInput("in ", "run", "k", "--", "sh", "-c", script);
    assertThat(ran.code()).as("%s", ran).isEqualTo(7);
    assertThat(ran.words()).hasSize(3).startsWith("in");
    assertThat(LockId.isValid(ran.words()[1])).isTrue();
    assertThat(ran.words()[2]).isGreaterThan(before.fence().toString());
    assertThat(ran.errors()).isEqualTo("oops\n");
    assertThat(guard.locks().isLocked("k")).isFalse();
  }

  @Test
  void aRunWaitsOrSaysThatTheLockIsBusy() throws Exception {
    LockHandle lock = hold("k");
    try (RunningCommand waiter = syncguard.start("run", "k", "--", "echo", "mine")) {
      Outcome busy = syncguard.run("run", "k", "--wait", "0", "--", "echo", "no");
      assertThat(busy.code()).isEqualTo(75);
      assertThat(busy.output()).isEmpty();
      assertThat(busy.errors()).isEqualTo("syncguard: 'k' is busy\n");
      assertThat(waiter.outputSoFar()).isEmpty();

      lock.release();
      Outcome waited = waiter.end();
      assertThat(waited.code()).isZero();
      assertThat(waited.text()).isEqualTo("mine");
    }
  }

  /** Holds until its input ends. */
  RunningCommand runWith(String option, String value) throws Exception {
    return syncguard
        .start("run", "k", option, value, "--", "sh", "-c", "echo held; read line; true")
        .untilItPrints("held");
  }

  @Test
  void aRunExtendsItsLock() throws Exception {
    try (RunningCommand run = runWith("--lease", "9s")) {
      LockInfo first = guard.locks().getByKey("k").orElseThrow();
      eventually(
          () -> {
            LockInfo later = guard.locks().getByKey("k").orElseThrow();
            assertThat(later.fence()).isEqualTo(first.fence());
            assertThat(later.expiresAt()).isAfter(first.expiresAt());
          });
      assertThat(run.end().code()).isZero();
    }
  }

  @Test
  void aKilledRunsLockIsFreeAfterItsLease() throws Exception {
    try (RunningCommand holder = runWith("--lease", "2s")) {
      holder.process().destroyForcibly().waitFor();
      LockOptions patient = LockOptions.defaults().withMaxWait(Duration.ofMinutes(1));
      assertThat(guard.locks().lock("k", patient).isHeld()).isTrue();
    }
  }

  @Test
  void aRunThatLosesItsLockTerminatesItsCommandEvenOneThatWillNot() throws Exception {
    String stubborn = "trap '' TERM; echo $$; echo held; while :; do sleep 0.1; done";
    try (RunningCommand run =
        syncguard
            .start("run", "k", "--lease", "3s", "--grace", "200ms", "--", "sh", "-c", stubborn)
            .untilItPrints("held")) {
      long command = Long.parseLong(run.outputSoFar().lines().findFirst().orElseThrow());
      takeAway("k");
      Outcome lost = run.end();
      assertThat(lost.code()).as("%s", lost).isEqualTo(76);
      assertThat(lost.errors()).contains("the lock on 'k' was lost, and the command terminated");
      assertThat(ProcessHandle.of(command).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  void takeAway(String key) {
    guard.locks().getByKeyRaw(key).ifPresent(lock -> guard.locks().release(lock.lockId()));
  }
}
