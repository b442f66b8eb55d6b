package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.syncguard.KeyHash;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.semaphore.Permit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What each subcommand does on any store. What it meets, and what it leaves, is the library's. */
final class CommandCases {

  /** One subcommand's; others use the same store at the same time. */
  interface Case {
    void check(SyncGuard guard, Syncguard syncguard) throws Exception;
  }

  static final Map<String, Case> ALL = new LinkedHashMap<>();

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final byte[] PAYLOAD = {'a', 0, (byte) 0xFF, '\n'};

  static {
    ALL.put("run", CommandCases::run);
    ALL.put("run --semaphore", CommandCases::runSemaphore);
    ALL.put("lock acquire", CommandCases::lockAcquire);
    ALL.put("lock try", CommandCases::lockTry);
    ALL.put("lock show", CommandCases::lockShow);
    ALL.put("lock extend", CommandCases::lockExtend);
    ALL.put("lock release", CommandCases::lockRelease);
    ALL.put("semaphore stats", CommandCases::semaphoreStats);
    ALL.put("semaphore resize", CommandCases::semaphoreResize);
    ALL.put("secret put", CommandCases::secretPut);
    ALL.put("secret view", CommandCases::secretView);
    ALL.put("secret peek", CommandCases::secretPeek);
    ALL.put("secret burn", CommandCases::secretBurn);
    ALL.put("limit hit", CommandCases::limitHit);
    ALL.put("limit show", CommandCases::limitShow);
    ALL.put("ls", CommandCases::list);
    ALL.put("ls of semaphores", CommandCases::listSemaphores);
    ALL.put("release", CommandCases::forcedRelease);
    ALL.put("doctor", CommandCases::doctor);
    ALL.put("setup", CommandCases::setup);
    ALL.put("bench", CommandCases::bench);
    ALL.put("completion", CommandCases::completion);
    ALL.put("warm-up", CommandCases::warmUp);
  }

  private CommandCases() {}

  private static String name() {
    return "matrix-" + UUID.randomUUID();
  }

  private static LockHandle hold(SyncGuard guard, String key) {
    return (LockHandle) guard.locks().tryLock(key, LONG);
  }

  private static Outcome succeeded(Outcome outcome) {
    assertThat(outcome.code()).as("%s", outcome).isZero();
    assertThat(outcome.errors()).isEmpty();
    return outcome;
  }

  private static void run(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    String script = "cat; echo $SYNCGUARD_LOCK_ID $SYNCGUARD_FENCE; exit 7";
    Outcome ran = syncguard.runWithInput("in ", "run", key, "--", "sh", "-c", script);
    assertThat(ran.code()).as("%s", ran).isEqualTo(7);
    assertThat(ran.errors()).isEmpty();
    assertThat(ran.words()).hasSize(3).startsWith("in");
    assertThat(LockId.isValid(ran.words()[1])).isTrue();
    assertThat(ran.words()[2]).matches("\\d{15}");
    assertThat(guard.locks().isLocked(key)).isFalse();
  }

  private static void runSemaphore(SyncGuard guard, Syncguard syncguard) throws Exception {
    String name = name();
    Outcome ran = syncguard.run("run", name, "--semaphore", "2", "--", "echo", "one");
    assertThat(succeeded(ran).text()).isEqualTo("one");
    try (Permit one = guard.semaphore(name, 2).acquire();
        Permit other = guard.semaphore(name, 2).acquire()) {
      assertThat(syncguard.run("run", name, "--semaphore", "2", "--wait", "0", "--", "true"))
          .matches(busy -> busy.code() == 75);
    }
  }

  private static void lockAcquire(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    Outcome acquired = succeeded(syncguard.run("lock", "acquire", key, "--ttl", "10m"));
    assertThat(guard.locks().owns(LockId.of(acquired.words()[0]))).isTrue();
    assertThat(acquired.words()[1])
        .isEqualTo(guard.locks().getByKey(key).orElseThrow().fence().toString());
  }

  private static void lockTry(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    Outcome acquired = succeeded(syncguard.run("lock", "try", key, "--ttl", "10m"));
    assertThat(guard.locks().owns(LockId.of(acquired.words()[0]))).isTrue();
    assertThat(syncguard.run("lock", "try", key)).matches(busy -> busy.code() == 75);
    // Long enough for a store that the first attempt has to connect to, as Firestore.
    assertThat(syncguard.run("lock", "acquire", key, "--wait", "3s"))
        .matches(busy -> busy.code() == 75);
  }

  private static void lockShow(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    LockHandle lock = hold(guard, key);
    String lockId = lock.lockId().value();
    assertThat(succeeded(syncguard.run("lock", "show", key)).text())
        .contains(lock.fence().toString(), KeyHash.of(lockId))
        .doesNotContain(lockId);
  }

  private static void lockExtend(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    String lockId = hold(guard, key).lockId().value();
    Outcome extended =
        succeeded(syncguard.run("lock", "extend", "--ttl", "1h", "--json", "--", lockId));
    assertThat(extended.json().get("expiresAt").asLong())
        .isEqualTo(guard.locks().getByKey(key).orElseThrow().expiresAt().toEpochMilli());
  }

  private static void lockRelease(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    String lockId = hold(guard, key).lockId().value();
    assertThat(succeeded(syncguard.run("lock", "release", lockId)).output()).isEmpty();
    assertThat(guard.locks().isLocked(key)).isFalse();
  }

  private static void semaphoreStats(SyncGuard guard, Syncguard syncguard) throws Exception {
    String name = name();
    try (Permit one = guard.semaphore(name, 2).acquire()) {
      JsonNode stats = succeeded(syncguard.run("semaphore", "stats", name, "--json")).json();
      assertThat(stats.get("acquired").asInt()).isEqualTo(1);
      assertThat(stats.get("limit").asInt()).isEqualTo(2);
    }
  }

  private static void semaphoreResize(SyncGuard guard, Syncguard syncguard) throws Exception {
    String name = name();
    try (Permit one = guard.semaphore(name, 2).acquire()) {
      succeeded(syncguard.run("semaphore", "resize", name, "3"));
      assertThat(guard.semaphores().stats(name).orElseThrow().limit()).isEqualTo(3);
    }
  }

  private static void secretPut(SyncGuard guard, Syncguard syncguard) throws Exception {
    Outcome put = succeeded(syncguard.runWithInput(PAYLOAD, "secret", "put", "--views", "2"));
    assertThat(guard.secrets().view(SecretId.of(put.text())).orElseThrow())
        .matches(view -> view.remaining() == 1)
        .extracting(view -> view.value())
        .isEqualTo(PAYLOAD);
  }

  private static SecretId put(SyncGuard guard) {
    return guard.secrets().put(PAYLOAD, Views.of(1), LONG);
  }

  private static void secretView(SyncGuard guard, Syncguard syncguard) throws Exception {
    SealingKey key = SealingKey.random();
    String id = guard.secrets().putSealed(PAYLOAD, key, Views.of(1), LONG).value();
    String wrong = SealingKey.random().text();
    Outcome refused = syncguard.run("secret", "view", id, "--key", wrong);
    assertThat(refused.code()).as("%s", refused).isEqualTo(65);
    assertThat(refused.output()).isEmpty();
    assertThat(refused.errors()).contains("no view was counted").doesNotContain(wrong, id);
    Outcome without = syncguard.run("secret", "view", id, "--json");
    assertThat(without.code()).as("%s", without).isEqualTo(65);
    assertThat(Outcome.parse(without.errors()).get("code").asText()).isEqualTo("WRONG_KEY");

    String[] view = {"secret", "view", id, "--key", key.text()};
    assertThat(succeeded(syncguard.run(view)).output()).isEqualTo(PAYLOAD);
    Outcome gone = syncguard.run(view);
    assertThat(gone.code()).as("%s", gone).isEqualTo(1);
    assertThat(gone.output()).isEmpty();
  }

  private static void secretPeek(SyncGuard guard, Syncguard syncguard) throws Exception {
    Outcome peeked = succeeded(syncguard.run("secret", "peek", put(guard).value(), "--json"));
    assertThat(peeked.json().get("remaining").asInt()).isEqualTo(1);
  }

  private static void secretBurn(SyncGuard guard, Syncguard syncguard) throws Exception {
    SecretId id = put(guard);
    succeeded(syncguard.run("secret", "burn", id.value()));
    assertThat(guard.secrets().peek(id)).isEmpty();
  }

  private static void limitHit(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    String[] hit = {"limit", "hit", key, "--max", "1", "--window", "1h"};
    assertThat(succeeded(syncguard.run(hit)).text()).isEqualTo("1 0");
    Outcome refused = syncguard.run(hit);
    assertThat(refused.code()).as("%s", refused).isEqualTo(75);
    assertThat(refused.errors()).contains("'" + key + "' has reached its limit");
  }

  private static void limitShow(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    guard.counters().increment(key, 5, LONG);
    Outcome shown = succeeded(syncguard.run("limit", "show", key, "--json"));
    assertThat(shown.json().get("count").asInt()).isEqualTo(1);
  }

  private static void list(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    LockHandle lock = hold(guard, key);
    assertThat(succeeded(syncguard.run("ls", "--raw", "--json")).jsonLines())
        .anyMatch(
            line ->
                line.path("key").asText().equals(key)
                    && line.path("fence").asText().equals(lock.fence().toString()));
  }

  private static void listSemaphores(SyncGuard guard, Syncguard syncguard) throws Exception {
    String name = name();
    try (Permit one = guard.semaphore(name, 2).acquire()) {
      assertThat(succeeded(syncguard.run("ls", "--raw", "--json")).jsonLines())
          .anyMatch(
              line ->
                  line.path("type").asText().equals("semaphore")
                      && line.path("name").asText().equals(name)
                      && line.path("acquired").asInt() == 1);
    }
  }

  private static void forcedRelease(SyncGuard guard, Syncguard syncguard) throws Exception {
    String key = name();
    LockHandle lock = hold(guard, key);
    Outcome released = succeeded(syncguard.run("release", "--force", "--yes", key, "--json"));
    assertThat(released.json().get("fence").asText()).isEqualTo(lock.fence().toString());
    assertThat(guard.locks().isLocked(key)).isFalse();
  }

  private static void doctor(SyncGuard guard, Syncguard syncguard) throws Exception {
    Outcome examined = syncguard.run("doctor", "--json");
    List<JsonNode> findings = examined.jsonLines();
    assertThat(findings)
        .extracting(finding -> finding.get("subject").asText())
        .contains("connection", "locking", "latency", "clock");
    List<String> levels = findings.stream().map(f -> f.get("level").asText()).toList();
    assertThat(levels).as("%s", examined).doesNotContain("failure");
    assertThat(examined.code()).isEqualTo(levels.contains("warning") ? 2 : 0);
    assertThat(findings)
        .allMatch(f -> f.get("level").asText().equals("ok") == f.get("advice").asText().isEmpty());
  }

  private static void setup(SyncGuard guard, Syncguard syncguard) throws Exception {
    assertThat(succeeded(syncguard.run("setup", "--json")).json().get("setUp").asBoolean())
        .isTrue();
  }

  private static void bench(SyncGuard guard, Syncguard syncguard) throws Exception {
    Outcome measured = syncguard.run("bench", "--time", "100ms", "--threads", "2", "--json");
    assertThat(succeeded(measured).json().get("cyclesPerSecond").asLong()).isPositive();
  }

  private static void completion(SyncGuard guard, Syncguard syncguard) throws Exception {
    assertThat(succeeded(syncguard.run("completion")).text()).contains("complete -F");
  }

  /** It reaches no Redis, and succeeds all the same. */
  private static void warmUp(SyncGuard guard, Syncguard syncguard) throws Exception {
    assertThat(syncguard.run("warm-up").code()).isZero();
  }
}
