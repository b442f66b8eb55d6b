package io.syncguard.redis.failure;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.OnOneRedis;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each answer of Redis means, and each failure to get one. */
class RedisFailuresTest extends OnOneRedis {

  private static final Subject SUBJECT = Subject.ofLock("the raw key", null);

  private static SyncGuardException of(Throwable failure) {
    return RedisFailures.of(failure, SUBJECT);
  }

  /** The texts are those that Redis 7 has; only the first word counts, unless that is ERR. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "READONLY You can't write against a read only replica. | SERVICE_UNAVAILABLE",
        "LOADING Redis is loading the dataset in memory | SERVICE_UNAVAILABLE",
        "CLUSTERDOWN The cluster is down | SERVICE_UNAVAILABLE",
        "CLUSTERDOWN Hash slot not served | SERVICE_UNAVAILABLE",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data | SERVICE_UNAVAILABLE",
        "TRYAGAIN Multiple keys request during rehashing of slot | SERVICE_UNAVAILABLE",
        "MOVED 3999 127.0.0.1:6381 | SERVICE_UNAVAILABLE",
        "ASK 3999 127.0.0.1:6381 | SERVICE_UNAVAILABLE",
        "OOM command not allowed when used memory > 'maxmemory'. | SERVICE_UNAVAILABLE",
        "BUSY Redis is busy running a script. | SERVICE_UNAVAILABLE",
        "MISCONF Redis is configured to save RDB snapshots | SERVICE_UNAVAILABLE",
        "NOREPLICAS Not enough good replicas to write. | SERVICE_UNAVAILABLE",
        "ERR max number of clients reached | SERVICE_UNAVAILABLE",
        "ERR max concurrent connections exceeded | SERVICE_UNAVAILABLE",
        "NOAUTH Authentication required. | AUTH_FAILED",
        "WRONGPASS invalid username-password pair or user is disabled. | AUTH_FAILED",
        "NOPERM this user has no permissions to run the 'eval' command | AUTH_FAILED",
        "ERR The user executing the script can't run this command or subcommand | AUTH_FAILED",
        "ERR ACL failure in script: No permissions to access a key | AUTH_FAILED",
        "DENIED Redis is running in protected mode | AUTH_FAILED",
        "WRONGTYPE Operation against a key holding the wrong kind of value | INVALID_ARGUMENT",
        "CROSSSLOT Keys in request don't hash to the same slot | INVALID_ARGUMENT",
        "SYNTAX error | INVALID_ARGUMENT",
        "INVALID argument | INVALID_ARGUMENT",
        "ERR This instance has cluster support disabled | INVALID_ARGUMENT",
        "ERR DB index is out of range | INVALID_ARGUMENT",
        "ERR unknown command 'SENTINEL', with args beginning with: | INVALID_ARGUMENT",
        "ERR max daily request limit exceeded. Limit: 10000, Usage: 10000. | RATE_LIMITED",
        "ERR max requests limit exceeded. Limit: 500000, Usage: 500000. | RATE_LIMITED",
        "ERR Error running script (call to f_0a): @user_script:1: -OOM no | SERVICE_UNAVAILABLE",
        "ERR Error running script (call to f_0a): @user_script:1: WRONGTYPE no | INVALID_ARGUMENT",
        "CORRUPT record | INTERNAL",
        "FENCEOVERFLOW | INTERNAL",
        "ERR something is LOADING, READONLY and NOAUTH | INTERNAL",
        "NOSUCHWORD known | INTERNAL",
        "ERR | INTERNAL"
      })
  void anAnswerHasACode(String answer, Code code) {
    RedisCommandExecutionException failure = new RedisCommandExecutionException(answer);
    for (Throwable thrown :
        new Throwable[] {
          failure,
          new CompletionException(failure),
          new RedisConnectionException("Unable to connect", failure)
        }) {
      assertThat(of(thrown))
          .returns(code, SyncGuardException::code)
          .returns(false, SyncGuardException::isOutcomeUnknown)
          .hasMessageNotContaining("the raw key")
          .hasCause(failure);
    }
  }

  static Stream<Arguments> failuresToGetAnAnswer() {
    return Stream.of(
        Arguments.of(new RedisCommandTimeoutException(), Code.NETWORK_TIMEOUT, true),
        Arguments.of(new TimeoutException(), Code.NETWORK_TIMEOUT, true),
        Arguments.of(new RedisConnectionException("no"), Code.SERVICE_UNAVAILABLE, false),
        Arguments.of(
            new RedisException("Currently not connected. Commands are rejected."),
            Code.SERVICE_UNAVAILABLE,
            false),
        Arguments.of(new RedisException("Connection is closed"), Code.SERVICE_UNAVAILABLE, false),
        Arguments.of(new RedisException("Connection lost"), Code.SERVICE_UNAVAILABLE, true),
        Arguments.of(new IOException("Connection reset"), Code.SERVICE_UNAVAILABLE, true),
        Arguments.of(new IllegalStateException("no"), Code.INTERNAL, true));
  }

  @ParameterizedTest
  @MethodSource("failuresToGetAnAnswer")
  void noAnswerHasACodeToo(Exception failure, Code code, boolean inDoubt) {
    assertThat(of(new CompletionException(failure)))
        .returns(code, SyncGuardException::code)
        .returns(inDoubt, SyncGuardException::isOutcomeUnknown);
  }

  @Test
  void aServerWithoutEnoughReplicasWritesNothing() {
    server.command("CONFIG", "SET", "min-replicas-to-write", "1");
    try {
      assertThat(assertFails(Code.SERVICE_UNAVAILABLE, () -> locks.tryLock("k", TTL)))
          .hasMessageContaining("NOREPLICAS")
          .returns(false, SyncGuardException::isOutcomeUnknown);
    } finally {
      server.command("CONFIG", "SET", "min-replicas-to-write", "0");
    }
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void aServerThatIsBusyWithAScriptIsUnavailable() throws Exception {
    server.command("CONFIG", "SET", "busy-reply-threshold", "1");
    CompletableFuture<?> endless =
        CompletableFuture.runAsync(() -> server.command("EVAL", "while true do end", "0"));
    try {
      eventually(
          () ->
              assertThat(assertFails(Code.SERVICE_UNAVAILABLE, () -> locks.tryLock("k", TTL)))
                  .hasMessageContaining("BUSY")
                  .returns(false, SyncGuardException::isOutcomeUnknown));
    } finally {
      server.command("SCRIPT", "KILL");
      endless.exceptionally(killed -> null).join();
      server.command("CONFIG", "SET", "busy-reply-threshold", "5000");
    }
  }
}
