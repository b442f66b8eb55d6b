package io.syncguard.redis.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisContents;
import io.syncguard.redis.RedisOptions;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.LockOperation;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What isLocked deletes where it may. */
class RedisCleanupTest extends OnOneRedis {

  private final ForeignLock expired = ForeignLock.on("k");
  private Store cleaning;

  @BeforeAll
  void openClientThatCleansUp() {
    cleaning = open(RedisOptions.defaults().withCleanupInIsLocked(true));
  }

  @Test
  void aLockThatExpiredLongAgoIsDeletedButNotItsFenceCounter() throws InterruptedException {
    expired.storeExpired(contents, 2500);
    eventually(
        () -> {
          assertThat(ask(cleaning, new LockOperation.IsLocked(expired.resource()))).isFalse();
          assertThat(contents.values()).isEqualTo(Map.of(expired.fenceKey(), "7"));
        });
  }

  @Test
  void anIndexThatLeadsElsewhereByNowIsLeftAlone() throws InterruptedException {
    expired.storeExpired(contents, 2500);
    contents.put(expired.indexKey(), "syncguard:other", RedisContents.NEVER);
    eventually(
        () -> {
          assertThat(ask(cleaning, new LockOperation.IsLocked(expired.resource()))).isFalse();
          assertThat(contents.values())
              .isEqualTo(Map.of(expired.fenceKey(), "7", expired.indexKey(), "syncguard:other"));
        });
  }

  @Test
  void aLockThatIsHeldStays() {
    LockId lockId = LockId.random();
    acquire(store, "k", lockId);
    Map<String, RedisContents.Entry> before = contents.all();
    assertThat(ask(cleaning, new LockOperation.IsLocked(expired.resource()))).isTrue();
    assertThat(contents.all()).isEqualTo(before);
  }

  @Test
  void withoutTheOptionNothingIsEverDeleted() {
    expired.storeExpired(contents, 2500);
    ask(store, new LockOperation.IsLocked(expired.resource()));
    Map<String, RedisContents.Entry> before = contents.all();
    server.command("CONFIG", "RESETSTAT");
    assertThat(ask(store, new LockOperation.IsLocked(expired.resource()))).isFalse();
    // The second comes after whatever the first may have sent in the background.
    assertThat(ask(store, new LockOperation.IsLocked(expired.resource()))).isFalse();
    assertThat(scriptRuns()).isEqualTo(2);
    assertThat(contents.all()).isEqualTo(before);
  }

  /** However long the calls take: clean-ups are a tenth of a second apart. */
  @Test
  void cleaningUpIsDoneAtMostTenTimesASecond() {
    int calls = 500;
    // A further client: nothing that another test asked for can be counted here.
    Store fresh = open(RedisOptions.defaults().withCleanupInIsLocked(true));
    server.command("CONFIG", "RESETSTAT");
    long begun = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      assertThat(ask(fresh, new LockOperation.IsLocked(expired.resource()))).isFalse();
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
