package io.syncguard.redis.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which keys a semaphore has, how long they live, and what a cycle costs. */
class RedisSemaphoreKeysTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RedisServer server = RedisServer.start();
  private final SyncGuard guard =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());

  @BeforeEach
  void emptyServer() {
    server.command("FLUSHALL");
  }

  @AfterEach
  void stopServer() {
    guard.close();
    server.close();
  }

  private static List<String> keysOfReference(String namespace, String name) {
    return Stream.of("main", "ttl", "max", "waiting", "waiting_heartbeat")
        .map(kind -> namespace + ":semaphore_" + kind + ":" + name)
        .toList();
  }

  @Test
  void theKeysAreThoseOfTheReferenceAndAllOfThemExpire() throws Exception {
    FairSemaphore semaphore = guard.semaphore("partner-api", 1);
    Permit held = semaphore.acquire();
    CompletableFuture<Permit> waiter = semaphore.async().acquire(PATIENCE).toCompletableFuture();
    eventually(
        () ->
            assertThat(keys())
                .containsExactlyInAnyOrderElementsOf(keysOfReference("adv-sem", "partner-api")));
    assertThat(keys()).allSatisfy(key -> assertThat(lifeMs(key)).isPositive());
    held.close();
    waiter.join().close();
    assertThat(keys()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plain", ":semaphore_max:a:semaphore_main:b", "{tag}", "a:semaphore_max:"})
  void namesThatLookLikeKeysAreToldApart(String name) throws InterruptedException {
    String namespace = "ns:semaphore_max:ns:semaphore_main";
    RedisOptions options = RedisOptions.defaults().withSemaphoreNamespace(namespace);
    try (SyncGuard odd = SyncGuard.over(RedisStore.connect(server.uri(), options))) {
      FairSemaphore semaphore = odd.semaphore(name, 1);
      Permit held = semaphore.acquire();
      CompletableFuture<Permit> waiter = semaphore.async().acquire(PATIENCE).toCompletableFuture();
      eventually(
          () ->
              assertThat(keys())
                  .containsExactlyInAnyOrderElementsOf(keysOfReference(namespace, name)));
      held.close();
      waiter.join().close();
    }
    assertThat(keys()).isEmpty();
  }

  @Test
  void nothingIsLeftWhenManyCameWaitedAndLeft() {
    FairSemaphore semaphore = guard.semaphore("busy", 2);
    List<CompletableFuture<?>> passed = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Duration wait = i % 3 == 0 ? Duration.ofMillis(1) : PATIENCE;
      passed.add(
          semaphore
              .async()
              .acquire(wait)
              .thenCompose(Permit::releaseAsync)
              .handle((result, failure) -> failure == null)
              .toCompletableFuture());
    }
    passed.forEach(CompletableFuture::join);
    assertThat(keys()).isEmpty();
  }

  @Test
  void aShortTtlDoesNotShortenTheLifeOfAKeyThatOthersShare() {
    SemaphoreOptions hours = SemaphoreOptions.defaults().withTtl(Duration.ofHours(5));
    guard.semaphore("shared", 3, hours).acquire();
    long before = lifeMs("adv-sem:semaphore_ttl:shared");
    SemaphoreOptions brief =
        SemaphoreOptions.defaults()
            .withTtl(Duration.ofSeconds(1))
            .withHeartbeat(Duration.ofMillis(300));
    guard.semaphore("shared", 3, brief).acquire();
    for (String kind : List.of("main", "ttl", "max")) {
      assertThat(lifeMs("adv-sem:semaphore_" + kind + ":shared")).isGreaterThan(before - 5000);
    }
  }

  @Test
  void anUncontendedCycleIsOneCommandToAcquireAndOneToRelease() {
    FairSemaphore semaphore = guard.semaphore("quiet", 1);
    semaphore.acquire().close();
    server.command("CONFIG", "RESETSTAT");
    for (int i = 0; i < 10; i++) {
      semaphore.acquire().close();
    }
    String stats = String.valueOf(server.command("INFO", "commandstats"));
    assertThat(calls(stats, "evalsha")).isEqualTo(20);
    assertThat(calls(stats, "eval")).isZero();
  }

  @Test
  void aReleaseHandsTheSlotToTheNextOfTheSameProcessWithoutANotification() throws Exception {
    FairSemaphore semaphore = guard.semaphore("handed", 1);
    Permit held = semaphore.acquire();
    CompletableFuture<Permit> next = waiterInLine(semaphore, 1);
    server.command("CONFIG", "RESETSTAT");
    assertThat(held.release().isReleased()).isTrue();
    Permit granted = next.join();
    String stats = String.valueOf(server.command("INFO", "commandstats"));
    assertThat(calls(stats, "rpush")).isZero();
    assertThat(granted.isHeld()).isTrue();
    assertThat(granted.slot()).isEqualTo(1);
    assertThat(keys()).allSatisfy(key -> assertThat(lifeMs(key)).isPositive());
    assertThat(granted.release().isReleased()).isTrue();
    assertThat(keys()).isEmpty();
  }

  @Test
  void anEarlierWaiterOfAnotherProcessIsNotPassedOver() throws Exception {
    FairSemaphore semaphore = guard.semaphore("fair", 1);
    Permit held = semaphore.acquire();
    try (SyncGuard other = SyncGuard.open(server.uri())) {
      CompletableFuture<Permit> first = waiterInLine(other.semaphore("fair", 1), 1);
      CompletableFuture<Permit> second = waiterInLine(semaphore, 2);
      held.close();
      Permit passedOn = first.join();
      assertThat(second).isNotDone();
      passedOn.close();
      second.join().close();
    }
    assertThat(keys()).isEmpty();
  }

  @Test
  void aWaiterDoesNotGetASlotThatTheLimitHasNoRoomFor() throws Exception {
    FairSemaphore semaphore = guard.semaphore("shrunk", 2);
    Permit first = semaphore.acquire();
    Permit second = semaphore.acquire();
    CompletableFuture<Permit> next = waiterInLine(semaphore, 1);
    assertThat(semaphore.resize(1)).isTrue();
    first.close();
    assertThat(semaphore.stats().acquired()).isEqualTo(1);
    assertThat(semaphore.stats().waiting()).isEqualTo(1);
    second.close();
    next.join().close();
    assertThat(keys()).isEmpty();
  }

  @Test
  void aWaiterIsHeldToItsOwnTimes() throws Exception {
    SemaphoreOptions hours = SemaphoreOptions.defaults().withTtl(Duration.ofHours(5));
    FairSemaphore brief = guard.semaphore("times", 1);
    Permit held = brief.acquire();
    CompletableFuture<Permit> next = waiterInLine(guard.semaphore("times", 1, hours), 1);
    held.close();
    Permit granted = next.join();
    assertThat(granted.expiresAt()).isAfter(Instant.now().plus(Duration.ofHours(4)));
    eventually(
        () ->
            assertThat(lifeMs("adv-sem:semaphore_ttl:times"))
                .isGreaterThan(hours.ttl().toMillis()));
    granted.close();
  }

  private static CompletableFuture<Permit> waiterInLine(FairSemaphore semaphore, int place)
      throws InterruptedException {
    CompletableFuture<Permit> waiter = semaphore.async().acquire(PATIENCE).toCompletableFuture();
    eventually(() -> assertThat(semaphore.stats().waiting()).isEqualTo(place));
    return waiter;
  }

  @Test
  void everyOperationSurvivesThatItsScriptWasForgotten() {
    FairSemaphore semaphore = guard.semaphore("forgotten", 1);
    server.command("SCRIPT", "FLUSH");
    Permit permit = semaphore.acquire();
    server.command("SCRIPT", "FLUSH");
    assertThat(semaphore.isLocked()).isTrue();
    assertThat(semaphore.resize(2)).isTrue();
    server.command("SCRIPT", "FLUSH");
    assertThat(permit.release().isReleased()).isTrue();
  }

  @Test
  void anotherNamespaceHasSemaphoresOfItsOwn() {
    Permit held = guard.semaphore("shared", 1).acquire();
    RedisOptions options = RedisOptions.defaults().withSemaphoreNamespace("pool:");
    try (SyncGuard other = SyncGuard.over(RedisStore.connect(server.uri(), options))) {
      Permit own = other.semaphore("shared", 2).acquire(Duration.ZERO);
      assertThat(keys()).contains("adv-sem:semaphore_max:shared", "pool:semaphore_max:shared");
      assertThat(other.semaphores().stats()).hasSize(1);
      own.close();
    }
    held.close();
    assertThat(keys()).isEmpty();
  }

  @Test
  void scriptsForgottenWhileSlotsAreHandedOverAreSentAgain() {
    FairSemaphore semaphore = guard.semaphore("flushed", 2);
    List<CompletableFuture<?>> passed = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      passed.add(
          semaphore
              .async()
              .acquire(PATIENCE)
              .thenCompose(Permit::releaseAsync)
              .toCompletableFuture());
      if (i % 10 == 0) {
        server.command("SCRIPT", "FLUSH");
      }
    }
    passed.forEach(CompletableFuture::join);
    assertThat(keys()).isEmpty();
  }

  private List<String> keys() {
    return ((List<?>) server.command("KEYS", "*")).stream().map(String::valueOf).toList();
  }

  private long lifeMs(String key) {
    return Long.parseLong(String.valueOf(server.command("PTTL", key)));
  }

  private static int calls(String stats, String command) {
    Matcher matcher = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(stats);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }
}
