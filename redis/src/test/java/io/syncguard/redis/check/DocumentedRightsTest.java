package io.syncguard.redis.check;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whether the rights that docs/redis.md lists are enough. */
class DocumentedRightsTest {

  private static final Path MANUAL = Path.of("..", "docs", "redis.md");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static List<String> rights() throws IOException {
    String manual = Files.readString(MANUAL);
    int from = manual.indexOf("- **ACL**");
    String listed = manual.substring(from, manual.indexOf("\n- **", from));
    return Pattern.compile("(?<=[`\\s])[+~&][^`\\s]+")
        .matcher(listed)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  @Test
  void locksAndSemaphoresNeedNoMoreThanIsListed() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      List<String> command = new ArrayList<>();
      command.addAll(
          List.of("ACL", "SETUSER", "listed", "on", ">secret", "resetchannels", "-@all"));
      command.addAll(rights());
      assertThat(server.command(command.toArray(String[]::new))).hasToString("OK");
      String uri = server.uri().replace("://", "://listed:secret@");
      try (SyncGuard guard = SyncGuard.open(uri);
          SyncGuard other = SyncGuard.open(uri)) {
        passSlotsOn(guard.semaphore("slots", 1), other.semaphore("slots", 1));
        passLocksOn(guard, other);
      }
    }
  }

  private static void passLocksOn(SyncGuard guard, SyncGuard other) throws Exception {
    LockHandle held = guard.locks().lock("key");
    assertThat(other.locks().isLocked("key")).isTrue();
    CompletableFuture<LockHandle> another = other.locks().async().lock("key").toCompletableFuture();
    CompletableFuture<LockHandle> own = guard.locks().async().lock("key").toCompletableFuture();
    // Long enough to show that they live.
    assertThatThrownBy(() -> another.get(1500, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    held.close();
    Stream.of(another, own)
        .map(waiter -> waiter.thenAccept(LockHandle::close))
        .toList()
        .forEach(CompletableFuture::join);
  }

  private static void passSlotsOn(FairSemaphore semaphore, FairSemaphore others) throws Exception {
    Permit held = semaphore.acquire();
    CompletableFuture<Permit> another = others.async().acquire(PATIENCE).toCompletableFuture();
    eventually(() -> assertThat(semaphore.stats().waiting()).isEqualTo(1));
    CompletableFuture<Permit> own = semaphore.async().acquire(PATIENCE).toCompletableFuture();
    eventually(() -> assertThat(semaphore.stats().waiting()).isEqualTo(2));
    assertThat(semaphore.resize(2)).isTrue();
    held.close();
    Stream.of(another, own)
        .map(waiter -> waiter.thenAccept(Permit::close))
        .toList()
        .forEach(CompletableFuture::join);
    assertThat(semaphore.stats().acquired()).isZero();
  }
}
