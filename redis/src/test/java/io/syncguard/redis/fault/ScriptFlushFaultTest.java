package io.syncguard.redis.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.WayToWait;
import io.syncguard.testkit.lock.LockSuite;
import io.syncguard.testkit.server.RedisServer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that forgets its scripts. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScriptFlushFaultTest {

  private static final List<String> KEYS = List.of("a", "b", "c", "d");

  @Test
  void scriptsForgottenInTheMiddleOfARunAreSentAgain() throws Exception {
    try (RedisServer server = RedisServer.start();
        SyncGuard guard = SyncGuard.open(server.uri());
        LockLoad load = LockLoad.start(guard.locks(), 16, KEYS, WayToWait.PERSISTENT)) {
      for (int flush = 0; flush < 50; flush++) {
        load.awaitHolds(20);
        server.command("SCRIPT", "FLUSH");
      }
      load.awaitHolds(20);
      load.close();
      assertThat(load.failures()).isEmpty();
      load.history().check();
    }
  }

  @Test
  void everyOperationSurvivesThatItsScriptWasForgotten() {
    try (RedisServer server = RedisServer.start();
        SyncGuard guard = SyncGuard.open(server.uri())) {
      server.command("SCRIPT", "FLUSH");
      LockHandle lock = LockSuite.take(guard.locks(), "a", WayToWait.HOUR);
      server.command("SCRIPT", "FLUSH");
      assertThat(lock.extend(WayToWait.HOUR).isExtended()).isTrue();
      assertThat(guard.locks().isLocked("a")).isTrue();
      assertThat(guard.locks().owns(lock.lockId())).isTrue();
      assertThat(guard.locks().getByKey("a")).isPresent();
      assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
    }
  }
}
