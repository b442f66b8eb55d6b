package io.syncguard.redis;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.spi.LockBackend;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What isLocked deletes where it may. */
class RedisCleanupTest extends OnOneRedis {

  private final ForeignLock expired = ForeignLock.on("k");
  private LockBackend cleaning;

  @BeforeAll
  void openClientThatCleansUp() {
    cleaning = open(RedisOptions.defaults().withCleanupInIsLocked(true)).locks();
  }

  @Test
  void aLockThatExpiredLongAgoIsDeletedButNotItsFenceCounter() throws InterruptedException {
    expired.storeExpired(contents, 2500);
    eventually(
        () -> {
          assertThat(cleaning.isLocked(expired.resource(), NEVER)).isFalse();
          assertThat(contents.values()).isEqualTo(Map.of(expired.fenceKey(), "7"));
        });
  }

  @Test
  void anIndexThatLeadsElsewhereByNowIsLeftAlone() throws InterruptedException {
    expired.storeExpired(contents, 2500);
    contents.put(expired.indexKey(), "syncguard:other", RedisContents.NEVER);
    eventually(
        () -> {
          assertThat(cleaning.isLocked(expired.resource(), NEVER)).isFalse();
          assertThat(contents.values())
              .isEqualTo(Map.of(expired.fenceKey(), "7", expired.indexKey(), "syncguard:other"));
        });
  }

  @Test
  void aLockThatIsHeldStays() {
    LockId lockId = LockId.random();
    acquire(backend, "k", lockId);
    Map<String, RedisContents.Entry> before = contents.all();
    assertThat(cleaning.isLocked(expired.resource(), NEVER)).isTrue();
    assertThat(contents.all()).isEqualTo(before);
  }

  @Test
  void withoutTheOptionNothingIsEverDeleted() {
    expired.storeExpired(contents, 2500);
    backend.isLocked(expired.resource(), NEVER);
    Map<String, RedisContents.Entry> before = contents.all();
    server.command("CONFIG", "RESETSTAT");
    assertThat(backend.isLocked(expired.resource(), NEVER)).isFalse();
    // The second comes after whatever the first may have sent in the background.
    assertThat(backend.isLocked(expired.resource(), NEVER)).isFalse();
    assertThat(scriptRuns()).isEqualTo(2);
    assertThat(contents.all()).isEqualTo(before);
  }

  /** However long the calls take: clean-ups are a tenth of a second apart. */
  @Test
  void cleaningUpIsDoneAtMostTenTimesASecond() {
    int calls = 500;
    // A client of its own: nothing that another test asked for can be counted here.
    LockBackend fresh = open(RedisOptions.defaults().withCleanupInIsLocked(true)).locks();
    server.command("CONFIG", "RESETSTAT");
    long begun = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      assertThat(fresh.isLocked(expired.resource(), NEVER)).isFalse();
    }
    long tenths = (System.nanoTime() - begun) / 100_000_000;
    assertThat(scriptRuns() - calls).isLessThanOrEqualTo((int) tenths + 1);
  }

  /** Without those that failed, as the first call of a script that Redis does not know does. */
  private int scriptRuns() {
    return String.valueOf(server.command("INFO", "commandstats"))
        .lines()
        .filter(line -> line.startsWith("cmdstat_evalsha:") || line.startsWith("cmdstat_eval:"))
        .mapToInt(line -> number(line, ":calls=") - number(line, ",failed_calls="))
        .sum();
  }

  private static int number(String line, String name) {
    return Integer.parseInt(line.replaceFirst(".*" + name + "(\\d+).*", "$1"));
  }
}
