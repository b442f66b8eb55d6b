package io.syncguard.redis.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.testkit.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients of the reference implementation, which share keys and slots with SyncGuard's. */
class ReferenceSemaphoreTest {

  private static final String NAME = "partner-api";
  private static final String MAIN = "adv-sem:semaphore_main:" + NAME;
  private static final String TTL = "adv-sem:semaphore_ttl:" + NAME;
  private static final String MAX = "adv-sem:semaphore_max:" + NAME;
  private static final String WAITING = "adv-sem:semaphore_waiting:" + NAME;
  private static final String HEARTBEAT = "adv-sem:semaphore_waiting_heartbeat:" + NAME;
  private static final String NOTIFICATION = "adv-sem:acquisition_notification:";

  /** When the waiter of the recorded state came; all its scores are moved from there to now. */
  private static final BigDecimal RECORDED_AT = new BigDecimal("1794772765.3752859");

  /**
   * What the reference's release and its next wake_up_nexts do. In one step here: in between, a
   * waiter of SyncGuard's might find the free slot by itself.
   */
  private static final String RELEASE_AND_WAKE_UP =
      """
      redis.call('ZREM', KEYS[3], ARGV[3])
      redis.call('ZPOPMIN', KEYS[1])
      redis.call('ZREM', KEYS[2], ARGV[1])
      redis.call('ZADD', KEYS[3], redis.call('TIME')[1] + 60, ARGV[1])
      redis.call('RPUSH', ARGV[2], '1')
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RedisServer server = RedisServer.start();
  private final SyncGuard guard =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());
  private final FairSemaphore semaphore = guard.semaphore(NAME, 2);

  @AfterEach
  void stopServer() {
    guard.close();
    server.close();
  }

  @Test
  void itsHoldersAndItsWaiterAreSeenAndQueuedBehind() throws Exception {
    load("two holders and one waiter");
    SemaphoreStats stats = semaphore.stats();
    assertThat(stats.acquired()).isEqualTo(2);
    assertThat(stats.limit()).isEqualTo(2);
    assertThat(stats.waiting()).isEqualTo(1);
    assertThat(semaphore.tryAcquire()).isEmpty();

    CompletableFuture<Permit> ours = semaphore.async().acquire(PATIENCE).toCompletableFuture();
    eventually(() -> assertThat(semaphore.stats().waiting()).isEqualTo(2));
    assertThat(words("ZRANGE", WAITING, "0", "0"))
        .containsExactly("25004113465046f8855848a207387f0b");
    assertThat(ours).isNotDone();
  }

  @Test
  void itsWaiterFindsItsNotificationAfterARelease() throws Exception {
    Permit first = semaphore.acquire();
    semaphore.acquire();
    String its = "25004113465046f8855848a207387f0b";
    server.command("ZADD", WAITING, now().toPlainString(), its);
    server.command("ZADD", HEARTBEAT, now().add(BigDecimal.valueOf(60)).toPlainString(), its);

    first.close();

    assertThat(words("LRANGE", NOTIFICATION + its, "0", "-1")).hasSize(1);
    assertThat(server.command("ZSCORE", MAIN, its)).isNotNull();
    assertThat(words("ZRANGE", WAITING, "0", "-1")).isEmpty();
    assertThat(words("ZRANGE", HEARTBEAT, "0", "-1")).isEmpty();
  }

  /**
   * It may look for its notification, and send heartbeats, more seldom than SyncGuard's waiters do.
   */
  @Test
  void itsGrantLastsAsLongAsItCountsAsAlive() throws Exception {
    Permit first = semaphore.acquire();
    semaphore.acquire();
    String its = "25004113465046f8855848a207387f0b";
    BigDecimal aliveUntil = now().add(BigDecimal.valueOf(900));
    server.command("ZADD", WAITING, now().toPlainString(), its);
    server.command("ZADD", HEARTBEAT, aliveUntil.toPlainString(), its);

    first.close();

    assertThat(new BigDecimal(String.valueOf(server.command("ZSCORE", MAIN, its))))
        .isCloseTo(aliveUntil, within(new BigDecimal("0.001")));
    for (String key : List.of(MAIN, NOTIFICATION + its)) {
      assertThat((Long) server.command("PTTL", key)).as(key).isGreaterThan(890_000);
    }
  }

  @Test
  void ourWaiterIsWokenWhenItGrantsTheSlot() throws Exception {
    load("two holders and one waiter");
    server.command("DEL", WAITING, HEARTBEAT);
    CompletableFuture<Permit> ours = semaphore.async().acquire(PATIENCE).toCompletableFuture();
    eventually(() -> assertThat(semaphore.stats().waiting()).isEqualTo(1));
    String id = words("ZRANGE", WAITING, "0", "0").get(0);
    String released = "acc82f304e7e42b086ecd2df54f17ca0";

    server.command(
        "EVAL",
        RELEASE_AND_WAKE_UP,
        "3",
        WAITING,
        HEARTBEAT,
        MAIN,
        id,
        NOTIFICATION + id,
        released);

    Permit permit = ours.join();
    assertThat(permit.slot()).isEqualTo(2);
    assertThat(server.command("EXISTS", NOTIFICATION + id)).isEqualTo(0L);
    assertThat(server.command("ZSCORE", TTL, id)).isNotNull();
    assertThat(server.command("GET", MAX)).isEqualTo("2");
  }

  @Test
  void aLimitThatItLeftBehindBindsNoClient() throws Exception {
    load("after all released");
    assertThat(guard.semaphores().stats(NAME)).isEmpty();
    assertThat(guard.semaphore(NAME, 5).tryAcquire()).isPresent();
  }

  private void load(String state) throws IOException {
    BigDecimal moved = now().subtract(RECORDED_AT);
    try (InputStream file = getClass().getResourceAsStream("/redis-semaphore-records.json")) {
      JsonNode records = new ObjectMapper().readTree(file).get(state);
      for (Map.Entry<String, JsonNode> record : records.properties()) {
        JsonNode value = record.getValue().get("value");
        if (value.isTextual()) {
          server.command("SET", record.getKey(), value.asText());
        } else {
          for (JsonNode member : value) {
            BigDecimal score = member.get(1).decimalValue().add(moved);
            server.command("ZADD", record.getKey(), score.toPlainString(), member.get(0).asText());
          }
        }
        server.command("EXPIRE", record.getKey(), record.getValue().get("ttlSeconds").asText());
      }
    }
  }

  private BigDecimal now() {
    List<String> time = words("TIME");
    return new BigDecimal(time.get(0)).add(new BigDecimal(time.get(1)).movePointLeft(6));
  }

  private List<String> words(String... command) {
    return ((List<?>) server.command(command)).stream().map(String::valueOf).toList();
  }
}
