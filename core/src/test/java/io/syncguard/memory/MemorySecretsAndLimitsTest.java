package io.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.counter.CounterResult;
import io.syncguard.limit.RateDecision;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.Views;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.limit.LimitOperation;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.ProofHash;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.spi.secret.ViewAttempt;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** To the millisecond, on time that stands still otherwise; and what is left afterwards. */
class MemorySecretsAndLimitsTest {

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
    assertThat(peek(id)).isPresent();
    time.move(Duration.ofMillis(1));
    assertThat(peek(id)).isEmpty();
    assertThat(view(id)).isInstanceOf(ViewAttempt.NotFound.class);
  }

  @Test
  void aSecretOf499MsIsGoneAfterThat() {
    SecretId id = put(2, Duration.ofMillis(499));
    time.move(Duration.ofMillis(498));
    assertThat(view(id)).isInstanceOf(ViewAttempt.Revealed.class);
    time.move(Duration.ofMillis(1));
    assertThat(burn(id)).isFalse();
  }

  @Test
  void nothingIsLeftOfWhatIsUsedUpBurnedOrExpired() {
    view(put(1, MINUTE));
    burn(put(5, MINUTE));
    assertThat(secrets.size()).isZero();
    put(5, MINUTE);
    time.move(MINUTE.multipliedBy(2));
    assertThat(secrets.size()).isZero();
  }

  @Test
  void nothingIsLeftOfCountersAndLimitersThatCountNoMore() {
    increment(1, MINUTE);
    take(MINUTE, MINUTE);
    assertThat(limits.size()).isEqualTo(2);
    time.move(MINUTE.multipliedBy(2));
    assertThat(limits.size()).isZero();
  }

  @Test
  void aWindowEndsToTheMillisecond() {
    increment(1, MINUTE);
    time.move(MINUTE.minusMillis(1));
    assertThat(increment(1, MINUTE)).isInstanceOf(CounterResult.LimitReached.class);
    time.move(Duration.ofMillis(1));
    assertThat(increment(1, MINUTE)).isInstanceOf(CounterResult.Counted.class);
  }

  @Test
  void aPermitComesBackToTheNanosecond() {
    Duration cost = Duration.ofNanos(1001);
    Duration burst = Duration.ofNanos(3003);
    for (int i = 0; i < 3; i++) {
      assertThat(take(cost, burst).isAllowed()).isTrue();
    }
    assertThat(take(cost, burst)).isEqualTo(new RateDecision.Limited(Duration.ofNanos(1001)));
    time.move(Duration.ofNanos(1000));
    assertThat(take(cost, burst)).isEqualTo(new RateDecision.Limited(Duration.ofNanos(1)));
    time.move(Duration.ofNanos(1));
    assertThat(take(cost, burst).isAllowed()).isTrue();
    assertThat(take(cost, burst).isAllowed()).isFalse();
  }

  @Test
  void afterAPauseThereIsOneBurst() {
    Duration cost = Duration.ofMillis(1);
    Duration burst = Duration.ofMillis(2);
    take(cost, burst);
    time.move(Duration.ofSeconds(5));
    assertThat(take(cost, burst).isAllowed()).isTrue();
    assertThat(take(cost, burst).isAllowed()).isTrue();
    assertThat(take(cost, burst).isAllowed()).isFalse();
  }

  private SecretId put(int views, Duration ttl) {
    NewSecret secret =
        new NewSecret(SecretId.random(), new byte[1], ProofHash.NONE, Views.of(views), ttl);
    secrets.put(new SecretOperation.Put(secret), Call.plain());
    return secret.id();
  }

  private ViewAttempt view(SecretId id) {
    return Answer.of(secrets.view(new SecretOperation.View(id, ProofHash.NONE), Call.plain()));
  }

  private Optional<SecretInfo> peek(SecretId id) {
    return Answer.of(secrets.peek(new SecretOperation.Peek(id), Call.plain()));
  }

  private boolean burn(SecretId id) {
    return Answer.of(secrets.burn(new SecretOperation.Burn(id), Call.plain()));
  }

  private CounterResult increment(long max, Duration window) {
    return Answer.of(
        limits.increment(new LimitOperation.Increment(KEY, max, window), Call.plain()));
  }

  private RateDecision take(Duration cost, Duration burst) {
    return Answer.of(limits.take(new LimitOperation.Take(KEY, cost, burst), Call.plain()));
  }
}
