package io.syncguard.testkit.secret;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.secret.SecretSuite.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.Views;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A secret's time is up when it was to be, to the millisecond, whatever the views. A machine that
 * is held up may find a short-lived secret gone before it looked: only what a store says is
 * compared, never how long anything took.
 */
public interface SecretExpirySuite extends SecretSuite {

  @Test
  default void aSecretWithLessThanASecondLeftStillExpiresAfterAView() throws Exception {
    SecretId id = viewedInTime(Duration.ofMillis(499));
    fixture().passTime(Duration.ofMillis(499));
    eventually(() -> assertThat(secrets().peek(id)).isEmpty());
    assertThat(otherSecrets().view(id)).isEmpty();
    assertThat(secrets().burn(id)).isFalse();
  }

  /** Returns a secret of which a view was seen and another is left. */
  private SecretId viewedInTime(Duration ttl) {
    for (int i = 0; i < 100; i++) {
      SecretId id = secrets().put(bytes("secret"), Views.of(3), ttl);
      if (secrets().view(id).isPresent()) {
        return id;
      }
    }
    throw new AssertionError("A secret of " + ttl + " was never there");
  }

  @Test
  default void aViewEvery300MsDoesNotMoveTheExpiryOfASecretOf1600Ms() throws Exception {
    SecretId id = secrets().put(bytes("secret"), Views.of(100), Duration.ofMillis(1600));
    Optional<SecretInfo> first = secrets().peek(id);
    for (Optional<SecretInfo> seen = first; seen.isPresent(); seen = secrets().peek(id)) {
      assertThat(seen.get().expiresAt()).isEqualTo(first.orElseThrow().expiresAt());
      fixture().passTime(Duration.ofMillis(300));
      secrets().view(id);
    }
    assertThat(secrets().view(id)).isEmpty();
  }

  @Test
  default void anExpiryIsTheLifetimeAfterThePutToTheMillisecond() {
    SecretId shorter = secrets().put(bytes("a"), Views.of(1), LONG);
    SecretId longer = secrets().put(bytes("b"), Views.of(2), LONG.plusMillis(60_499));
    Instant first = secrets().peek(shorter).orElseThrow().expiresAt();
    Instant second = secrets().peek(longer).orElseThrow().expiresAt();
    secrets().view(longer);
    assertThat(secrets().peek(longer).orElseThrow().expiresAt()).isEqualTo(second);
    assertThat(Duration.between(first, second)).isGreaterThanOrEqualTo(Duration.ofMillis(60_499));
  }
}
