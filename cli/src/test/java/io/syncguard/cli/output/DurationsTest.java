package io.syncguard.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {

  @Test
  void aTimeOnTheCommandLineIsWrittenAsInAUri() {
    assertThat(new Durations().convert("5m")).isEqualTo(Duration.ofMinutes(5));
    assertThatThrownBy(() -> new Durations().convert("5"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'5'");
  }

  @Test
  void theTwoGreatestUnitsAreShown() {
    assertThat(Durations.show(Duration.ofMillis(1250))).isEqualTo("1.3s");
    assertThat(Durations.show(Duration.ofSeconds(65))).isEqualTo("1m 5s");
    assertThat(Durations.show(Duration.ofMinutes(125))).isEqualTo("2h 5m");
    assertThat(Durations.show(Duration.ofHours(50))).isEqualTo("2d 2h");
    assertThat(Durations.show(Duration.ofSeconds(-1))).isEqualTo("0s");
  }
}
