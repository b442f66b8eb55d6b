package io.syncguard.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LatenciesTest {

  @Test
  void percentilesAreOfWhatWasMeasured() {
    Latencies latencies = new Latencies();
    for (int i = 2000; i > 0; i--) {
      latencies.add(i);
    }
    assertThat(latencies.percentile(50)).isEqualTo(Duration.ofNanos(1000));
    assertThat(latencies.percentile(99)).isEqualTo(Duration.ofNanos(1980));
    assertThat(latencies.percentile(100)).isEqualTo(Duration.ofNanos(2000));
    assertThat(new Latencies().percentile(99)).isZero();
  }
}
