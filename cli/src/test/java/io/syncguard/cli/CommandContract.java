package io.syncguard.cli;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.syncguard.KeyHash;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockInfo;
import io.syncguard.lock.LockOptions;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.semaphore.Permit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the command does on every store. Each test starts it as a process, as a user does; what it
 * meets, and what it leaves, is the library's.
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
    guard = SyncGuard.open(uri);
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
    return (LockHandle) guard.locks().acquire(key, LONG);
  }

  @Test
  void aLockIsAcquiredShownExtendedAndReleased() throws Exception {
    Outcome acquired = syncguard.run("lock", "acquire", "k", "--ttl", "10m");
    assertThat(acquired.code()).as("%s", acquired).isZero();
    String lockId = acquired.words()[0];
    String fence = acquired.words()[1];
    assertThat(guard.locks().owns(LockId.of(lockId))).isTrue();

    Outcome shown = syncguard.run("lock", "show", "k");
    assertThat(shown.text()).contains(fence, KeyHash.of(lockId)).doesNotContain(lockId);

    Outcome extended = syncguard.run("lock", "extend", lockId, "--ttl", "1h", "--json");
    assertThat(extended.code()).as("%s", extended).isZero();
    assertThat(extended.json().get("expiresAt").asLong())
        .isEqualTo(guard.locks().getByKey("k").orElseThrow().expiresAt().toEpochMilli());

    Outcome released = syncguard.run("lock", "release", lockId);
    assertThat(released.code()).as("%s", released).isZero();
    assertThat(released.output()).isEmpty();
    assertThat(guard.locks().isLocked("k")).isFalse();
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
  void aSemaphoreIsCountedAndResized() throws Exception {
    try (Permit one = guard.semaphore("s", 2).acquire();
        Permit other = guard.semaphore("s", 2).acquire()) {
      assertThat(syncguard.run("run", "s", "--semaphore", "2", "--wait", "0", "--", "true").code())
          .isEqualTo(75);
      JsonNode stats = syncguard.run("semaphore", "stats", "s", "--json").json();
      assertThat(stats.get("acquired").asInt()).isEqualTo(2);
      assertThat(stats.get("limit").asInt()).isEqualTo(2);

      assertThat(syncguard.run("semaphore", "resize", "s", "3").code()).isZero();
      Outcome third = syncguard.run("run", "s", "--semaphore", "3", "--", "echo", "third");
      assertThat(third.text()).isEqualTo("third");
      assertThat(syncguard.run("ls", "--raw").text()).containsPattern("3 +2 +0 .* s");
    }
  }

  @Test
  void aSecretComesBackByteForByteAsOftenAsItMay() throws Exception {
    byte[] payload = {'a', 0, (byte) 0xFF, '\n'};
    Outcome put = syncguard.runWithInput(payload, "secret", "put", "--views", "2");
    SecretId id = SecretId.of(put.text());
    assertThat(syncguard.run("secret", "peek", id.value(), "--json").json().get("remaining"))
        .hasToString("2");
    assertThat(syncguard.run("secret", "view", id.value()).output()).isEqualTo(payload);
    assertThat(guard.secrets().view(id).orElseThrow().burned()).isTrue();

    Outcome gone = syncguard.run("secret", "view", id.value());
    assertThat(gone.code()).isEqualTo(1);
    assertThat(gone.output()).isEmpty();
  }

  @Test
  void aSecretIsBurned() throws Exception {
    SecretId id = guard.secrets().put(new byte[] {1}, Views.of(1), LONG);
    assertThat(syncguard.run("secret", "burn", id.value()).code()).isZero();
    assertThat(guard.secrets().peek(id)).isEmpty();
  }

  @Test
  void aLimitIsReached() throws Exception {
    String[] hit = {"limit", "hit", "alerts", "--max", "1", "--window", "1h"};
    assertThat(syncguard.run(hit).text()).isEqualTo("1 0");
    Outcome refused = syncguard.run(hit);
    assertThat(refused.code()).isEqualTo(75);
    assertThat(refused.errors()).contains("'alerts' has reached its limit");
    assertThat(syncguard.run("limit", "show", "alerts", "--json").json().get("count"))
        .hasToString("1");
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
  void theDoctorJudgesTheStore() throws Exception {
    Outcome examined = syncguard.run("doctor", "--json");
    List<JsonNode> findings = examined.jsonLines();
    assertThat(findings)
        .extracting(finding -> finding.get("subject").asText())
        .contains("connection", "version", "persistence", "locking", "latency", "clock");
    List<String> levels = findings.stream().map(f -> f.get("level").asText()).toList();
    assertThat(levels).as("%s", examined).doesNotContain("failure");
    assertThat(examined.code()).isEqualTo(levels.contains("warning") ? 2 : 0);
    assertThat(findings)
        .allMatch(f -> f.get("level").asText().equals("ok") == f.get("advice").asText().isEmpty());
  }

  @Test
  void theBenchMeasures() throws Exception {
    Outcome measured = syncguard.run("bench", "--time", "200ms", "--threads", "2", "--json");
    assertThat(measured.code()).as("%s", measured).isZero();
    assertThat(measured.json().get("cyclesPerSecond").asLong()).isPositive();
    assertThat(measured.errors()).isEmpty();
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
      LockOptions patient = LockOptions.defaults().withTimeout(Duration.ofMinutes(1));
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
