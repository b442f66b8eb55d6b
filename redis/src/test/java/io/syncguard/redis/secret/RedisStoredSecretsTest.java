package io.syncguard.redis.secret;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Redis holds of a secret, and what becomes of one that no client wrote. */
class RedisStoredSecretsTest extends OnOneRedis {

  private static final byte[] PAYLOAD = "{\"list\":[]}".getBytes(UTF_8);

  private Secrets secrets;
  private SecretId id;
  private String key;

  @BeforeEach
  void putASecret() {
    secrets = guard.secrets();
    id = secrets.put(PAYLOAD, Views.of(2), TTL);
    key = "syncguard:id:secret:" + id.value();
  }

  @Test
  void aSecretIsOneHashThatExpiresToTheMillisecond() {
    SecretInfo info = secrets.peek(id).orElseThrow();
    String expiresAtMs = Long.toString(info.expiresAt().toEpochMilli());
    assertThat(stored())
        .containsExactly(
            "views",
            "2",
            "expiresAtMs",
            expiresAtMs,
            "proof",
            "",
            "payload",
            new String(PAYLOAD, UTF_8));
    assertThat(server.command("PEXPIRETIME", key)).isEqualTo(info.expiresAt().toEpochMilli());
    assertThat(server.command("DBSIZE")).isEqualTo(1L);
  }

  @Test
  void aViewChangesTheCountOnlyAndTheLastOneLeavesNothing() {
    List<Object> before = stored();
    Object expiry = server.command("PEXPIRETIME", key);
    secrets.view(id);
    before.set(1, "1");
    assertThat(stored()).isEqualTo(before);
    assertThat(server.command("PEXPIRETIME", key)).isEqualTo(expiry);

    secrets.view(id);
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "1.5",
        "1e3",
        " 1",
        "01",
        "1000001",
        "nan",
        "inf",
        "",
        "9007199254740993"
      })
  void whatIsNoNumberOfViewsIsRefusedAndRevealsNothing(String views) {
    server.command("HSET", key, "views", views);
    assertRefusedUnchanged(Code.INTERNAL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"views", "payload", "expiresAtMs", "proof"})
  void aSecretThatLacksAPartIsRefusedAndRevealsNothing(String field) {
    server.command("HDEL", key, field);
    List<Object> before = stored();
    assertFails(Code.INTERNAL, () -> secrets.view(id));
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void somethingElseUnderTheKeyIsRefused() {
    server.command("DEL", key);
    server.command("SET", key, "1");
    assertFails(Code.INVALID_ARGUMENT, () -> secrets.view(id));
    assertFails(Code.INVALID_ARGUMENT, () -> secrets.peek(id));
    assertThat(server.command("GET", key)).isEqualTo("1");
    assertThat(secrets.burn(id)).isTrue();
  }

  @Test
  void aSecretWhoseExpiryWasTakenAwayStillEndsInTime() {
    server.command("PERSIST", key);
    assertThat(secrets.view(id)).isPresent();
    server.command("HSET", key, "expiresAtMs", Long.toString(contents.nowMs()));
    assertThat(secrets.peek(id)).isEmpty();
    assertThat(secrets.view(id)).isEmpty();
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void anIdWhoseSecretHasExpiredIsNewAgain() {
    server.command("PERSIST", key);
    assertThat(secrets.putIfNew(id, new byte[] {1}, Views.of(1), TTL)).isFalse();
    server.command("HSET", key, "expiresAtMs", Long.toString(contents.nowMs()));
    assertThat(secrets.putIfNew(id, new byte[] {2}, Views.of(1), TTL)).isTrue();
    assertThat(secrets.view(id).orElseThrow().value()).containsExactly(2);
  }

  private void assertRefusedUnchanged(Code code) {
    List<Object> before = stored();
    assertFails(code, () -> secrets.view(id));
    assertFails(code, () -> secrets.peek(id));
    assertThat(stored()).isEqualTo(before);
  }

  private List<Object> stored() {
    return new ArrayList<>((List<?>) server.command("HGETALL", key));
  }
}
