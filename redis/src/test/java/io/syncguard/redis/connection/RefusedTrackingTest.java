package io.syncguard.redis.connection;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.redis.LogCapture;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.testkit.Eventually;
import io.syncguard.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis does not tell waiters, so they have to ask: it works, and the log says so once. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedTrackingTest {

  private static final String WARNING = "Redis does not tell this client of changes";

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aUserWhoMayNotTrackAsksAgain(WayToWait waiter) throws Exception {
    try (RedisServer server =
            RedisServer.builder()
                .password("pw")
                .acl("user untracked on >pw ~* &* +@all -client|tracking")
                .start();
        LogCapture log = new LogCapture();
        SyncGuard guard = SyncGuard.open("redis://untracked:pw@127.0.0.1:" + server.port())) {
      waitersAskAgain(server, guard, waiter);
      assertThat(log.warnings()).singleElement().asString().contains(WARNING, "NOPERM");
    }
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aClientThatSpeaksResp2AsksAgain(WayToWait waiter) throws Exception {
    RedisClient client = RedisClient.create();
    client.setOptions(ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
    try (RedisServer server = RedisServer.start();
        LogCapture log = new LogCapture();
        SyncGuard guard =
            SyncGuard.over(
                RedisStore.over(client, RedisURI.create(server.uri()), RedisOptions.defaults()))) {
      waitersAskAgain(server, guard, waiter);
      assertThat(log.warnings()).singleElement().asString().contains(WARNING, "RESP2");
    } finally {
      client.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  private static void waitersAskAgain(RedisServer server, SyncGuard guard, WayToWait waiter)
      throws Exception {
    try (SyncGuard other = SyncGuard.open(server.uri())) {
      for (String key : new String[] {"a", "b", "c"}) {
        LockHandle held = take(other.locks(), key, WayToWait.HOUR);
        CompletableFuture<LockHandle> waiting =
            waiter.waitFor(guard.locks(), key, WayToWait.PERSISTENT);
        long asked = calls(server);
        Eventually.eventually(() -> assertThat(calls(server)).isGreaterThan(asked + 3));
        assertThat(waiting).isNotDone();
        held.release();
        assertThat(WayToWait.got(waiting).fence().isNewerThan(held.fence())).isTrue();
      }
    }
  }

  private static long calls(RedisServer server) {
    return String.valueOf(server.command("INFO", "commandstats"))
        .lines()
        .filter(line -> line.startsWith("cmdstat_evalsha:"))
        .map(line -> line.replaceFirst(".*:calls=(\\d+),.*", "$1"))
        .mapToLong(Long::parseLong)
        .sum();
  }
}
