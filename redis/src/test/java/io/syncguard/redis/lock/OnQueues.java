package io.syncguard.redis.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisOptions;
import io.syncguard.spi.Store;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What tests of a lock's queue work with: two more processes, and a look into the queue. */
abstract class OnQueues extends OnOneRedis {

  static final String LOCK = "syncguard:k";
  static final String QUEUE = "syncguard:id:queue:k";
  static final String COUNTER = "syncguard:fence:syncguard:k";

  private static final long OUTLIVES_EXPIRY_MS = 5000;

  Store a;
  Store b;

  @BeforeAll
  final void openProcesses() throws InterruptedException {
    a = listening(RedisOptions.defaults());
    b = listening(RedisOptions.defaults());
  }

  @AfterAll
  final void closeProcesses() {
    a.close();
    b.close();
  }

  /** Opens a process that hears messages, as each does soon after its first waiter has come. */
  final Store listening(RedisOptions options) throws InterruptedException {
    Store process = open(options);
    TestWaiter holder = TestWaiter.holder(store, "warm up");
    int channels = words("PUBSUB", "CHANNELS").size();
    TestWaiter waiter = TestWaiter.queued(process, "warm up");
    eventually(() -> assertThat(words("PUBSUB", "CHANNELS")).hasSizeGreaterThan(channels));
    waiter.close();
    waiter.release();
    holder.release();
    holder.close();
    return process;
  }

  /** Returns the names of the waiters in the queue of k, in their order. */
  final List<String> queue() {
    return words("ZRANGE", QUEUE, "0", "-1").stream().map(name -> name.substring(0, 22)).toList();
  }

  final List<String> words(String... command) {
    return ((List<?>) server.command(command)).stream().map(String::valueOf).toList();
  }

  /** Has the lock on k, whose record is one of SyncGuard's, expire this long ago. */
  final void expire(long agoMs) {
    String record = contents.values().get(LOCK);
    String[] parts = record.split("\"expiresAtMs\":|}", -1);
    long expiresAtMs = contents.nowMs() - agoMs;
    contents.put(
        LOCK, parts[0] + "\"expiresAtMs\":" + expiresAtMs + "}", expiresAtMs + OUTLIVES_EXPIRY_MS);
  }

  /** Has all processes count as dead that do not ask again. */
  final void forgetTheLiving() {
    words("KEYS", "syncguard:id:alive:*").forEach(key -> server.command("DEL", key));
  }

  final long calls(String command) {
    return String.valueOf(server.command("INFO", "commandstats"))
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":"))
        .mapToLong(line -> Long.parseLong(line.split("[=,]", -1)[1]))
        .sum();
  }

  /** Asserts that nothing is left but the counter, and what goes by itself within seconds. */
  final void assertNothingIsLeft() {
    assertThat(contents.all())
        .allSatisfy(
            (key, entry) -> {
              if (!key.equals(COUNTER)) {
                assertThat(key).startsWith("syncguard:id:alive:");
                assertThat(entry.expiresAtMs()).isBetween(1L, contents.nowMs() + 3000);
              }
            });
  }
}
