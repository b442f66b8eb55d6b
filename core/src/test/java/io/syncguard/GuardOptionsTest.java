package io.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.TimeSource;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardOptionsTest {

  @Test
  void theDefaultsAreThoseThatAreDocumented() {
    GuardOptions defaults = GuardOptions.defaults();

    assertThat(defaults.telemetry()).isEmpty();
    assertThat(defaults.disposeTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(defaults.closeTimeout()).contains(Duration.ofSeconds(5));
    assertThat(defaults.executor()).isEmpty();
    assertThat(defaults.timeSource()).isSameAs(TimeSource.system());
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT-1S"})
  void aDisposeTimeoutThatIsNotPositiveIsRefused(Duration timeout) {
    Failure.ofBadArgument(() -> GuardOptions.defaults().withDisposeTimeout(timeout));
  }

  @Test
  void aCloseTimeoutMayBeZeroButNotNegative() {
    assertThat(GuardOptions.defaults().withCloseTimeout(Duration.ZERO).closeTimeout())
        .contains(Duration.ZERO);
    assertThat(GuardOptions.defaults().withKeepOnClose().closeTimeout()).isEmpty();
    Failure.ofBadArgument(() -> GuardOptions.defaults().withCloseTimeout(Duration.ofNanos(-1)));
  }

  @Test
  void everyOptionIsKeptWhenAnotherOneChanges() {
    Telemetry telemetry = Telemetry.to(event -> {});
    ReleaseErrorHandler handler = (error, failure) -> {};
    TimeSource time = new HandMovedTime();
    Duration timeout = Duration.ofMillis(1);
    Executor executor = Runnable::run;

    GuardOptions forwards =
        GuardOptions.defaults()
            .withTelemetry(telemetry)
            .withOnReleaseError(handler)
            .withDisposeTimeout(timeout)
            .withCloseTimeout(timeout)
            .withExecutor(executor)
            .withTimeSource(time);
    GuardOptions backwards =
        GuardOptions.defaults()
            .withTimeSource(time)
            .withExecutor(executor)
            .withCloseTimeout(timeout)
            .withDisposeTimeout(timeout)
            .withOnReleaseError(handler)
            .withTelemetry(telemetry);

    assertThat(forwards).usingRecursiveComparison().isEqualTo(backwards);
    assertThat(forwards.telemetry()).containsSame(telemetry);
    assertThat(forwards.onReleaseError()).isSameAs(handler);
    assertThat(forwards.disposeTimeout()).isEqualTo(timeout);
    assertThat(forwards.closeTimeout()).contains(timeout);
    assertThat(forwards.executor()).containsSame(executor);
    assertThat(forwards.timeSource()).isSameAs(time);
    assertThat(GuardOptions.defaults().telemetry()).as("left as they were").isEmpty();
  }
}
