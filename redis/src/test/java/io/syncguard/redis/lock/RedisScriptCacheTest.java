package io.syncguard.redis.lock;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.script.RedisScript;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that has forgotten the scripts, as any may at any time. */
class RedisScriptCacheTest extends OnOneRedis {

  @ParameterizedTest
  @EnumSource(RedisScript.class)
  void redisReadsEveryScriptAndKnowsItByItsDigest(RedisScript script) {
    assertThat(server.command("SCRIPT", "LOAD", script.source())).hasToString(script.digest());
  }

  @Test
  void everyOperationWorksAtTheFirstCallThatFindsItsScriptForgotten() {
    ForeignLock lock = ForeignLock.on("k");
    EveryOperation.onLock(lock.resource(), lock.lockId())
        .values()
        .forEach(
            operation -> {
              server.command("SCRIPT", "FLUSH", "SYNC");
              operation.accept(store);
            });
  }

  @Test
  void aLockSurvivesTheLossOfTheScriptsInEachOfItsStates() {
    server.command("SCRIPT", "FLUSH", "SYNC");
    LockHandle lock = take(locks, "k", TTL);
    server.command("SCRIPT", "FLUSH", "SYNC");
    assertThat(lock.extend(TTL).isExtended()).isTrue();
    server.command("SCRIPT", "FLUSH", "SYNC");
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(lock.fence().toLong()).as("taken once, not once for each try").isEqualTo(1);
  }

  @Test
  void aKnownScriptIsCalledByItsDigestAlone() {
    server.command("SCRIPT", "FLUSH", "SYNC");
    locks.isLocked("k");
    assertThat(server.command("SCRIPT", "EXISTS", RedisScript.IS_LOCKED.digest()))
        .isEqualTo(List.of(1L));
    server.command("CONFIG", "RESETSTAT");
    for (int i = 0; i < 5; i++) {
      locks.isLocked("k");
    }
    String stats = String.valueOf(server.command("INFO", "commandstats"));
    assertThat(stats).contains("cmdstat_evalsha:calls=5,").doesNotContain("cmdstat_eval:");
  }

  @Test
  void aReleaseByLockIdAloneIsOneCallToo() {
    LockId lockId = take(locks, "k", TTL).lockId();
    server.command("SCRIPT", "FLUSH", "SYNC");
    assertThat(locks.release(lockId)).isEqualTo(ReleaseResult.RELEASED);
  }
}
