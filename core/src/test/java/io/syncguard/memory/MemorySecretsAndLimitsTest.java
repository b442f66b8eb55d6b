package io.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.counter.CounterResult;
import io.syncguard.limit.RateDecision;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.ViewAttempt;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** To the millisecond, on time that stands still otherwise; and what is left afterwards. */
class MemorySecretsAndLimitsTest {

  private static final CancelSignal NEVER = CancelSignal.never();
  private static final ResourceKey KEY = ResourceKey.of("key");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final HandMovedTime time = new HandMovedTime();
  private final StoreClock clock = new StoreClock(time);
  private final MemorySecrets secrets = new MemorySecrets(clock);
  private final MemoryLimits limits = new MemoryLimits(clock);

  @Test
  void aSecretOf1600MsIsThereForFiveViewsEvery300MsAndGoneAtTheSixth() {
    SecretId id = put(100, Duration.ofMillis(1600));
    for (int i = 1; i <= 5; i++) {
      time.move(Duration.ofMillis(300));
      assertThat(view(id)).as("view %d", i).isInstanceOf(ViewAttempt.Revealed.class);
    }
    time.move(Duration.ofMillis(99));
    assertThat(secrets.peek(id, NEVER)).isPresent();
    time.move(Duration.ofMillis(1));
    assertThat(secrets.peek(id, NEVER)).isEmpty();
    assertThat(view(id)).isInstanceOf(ViewAttempt.NotFound.class);
  }

  @Test
  void aSecretOf499MsIsGoneAfterThat() {
    SecretId id = put(2, Duration.ofMillis(499));
    time.move(Duration.ofMillis(498));
    assertThat(view(id)).isInstanceOf(ViewAttempt.Revealed.class);
    time.move(Duration.ofMillis(1));
    assertThat(secrets.burn(id, NEVER)).isFalse();
  }

  @Test
  void nothingIsLeftOfWhatIsUsedUpBurnedOrExpired() {
    view(put(1, MINUTE));
    secrets.burn(put(5, MINUTE), NEVER);
    assertThat(secrets.size()).isZero();
    put(5, MINUTE);
    time.move(MINUTE.multipliedBy(2));
    assertThat(secrets.size()).isZero();
  }

  @Test
  void nothingIsLeftOfCountersAndLimitersThatCountNoMore() {
    limits.increment(new CountRequest(KEY, 1, MINUTE), NEVER);
    limits.acquire(new RateRequest(KEY, MINUTE, MINUTE), NEVER);
    assertThat(limits.size()).isEqualTo(2);
    time.move(MINUTE.multipliedBy(2));
    assertThat(limits.size()).isZero();
  }

  @Test
  void aWindowEndsToTheMillisecond() {
    CountRequest one = new CountRequest(KEY, 1, MINUTE);
    limits.increment(one, NEVER);
    time.move(MINUTE.minusMillis(1));
    assertThat(limits.increment(one, NEVER)).isInstanceOf(CounterResult.LimitReached.class);
    time.move(Duration.ofMillis(1));
    assertThat(limits.increment(one, NEVER)).isInstanceOf(CounterResult.Counted.class);
  }

  @Test
  void aPermitComesBackToTheNanosecond() {
    RateRequest one = new RateRequest(KEY, Duration.ofNanos(1001), Duration.ofNanos(3003));
    for (int i = 0; i < 3; i++) {
      assertThat(limits.acquire(one, NEVER).isAllowed()).isTrue();
    }
    assertThat(limits.acquire(one, NEVER))
        .isEqualTo(new RateDecision.Limited(Duration.ofNanos(1001)));
    time.move(Duration.ofNanos(1000));
    assertThat(limits.acquire(one, NEVER)).isEqualTo(new RateDecision.Limited(Duration.ofNanos(1)));
    time.move(Duration.ofNanos(1));
    assertThat(limits.acquire(one, NEVER).isAllowed()).isTrue();
    assertThat(limits.acquire(one, NEVER).isAllowed()).isFalse();
  }

  @Test
  void afterAPauseThereIsOneBurst() {
    RateRequest one = new RateRequest(KEY, Duration.ofMillis(1), Duration.ofMillis(2));
    limits.acquire(one, NEVER);
    time.move(Duration.ofSeconds(5));
    assertThat(limits.acquire(one, NEVER).isAllowed()).isTrue();
    assertThat(limits.acquire(one, NEVER).isAllowed()).isTrue();
    assertThat(limits.acquire(one, NEVER).isAllowed()).isFalse();
  }

  private SecretId put(int views, Duration ttl) {
    NewSecret secret =
        new NewSecret(SecretId.random(), new byte[1], ProofHash.NONE, Views.of(views), ttl);
    secrets.put(secret, NEVER);
    return secret.id();
  }

  private ViewAttempt view(SecretId id) {
    return secrets.view(id, ProofHash.NONE, NEVER);
  }
}
