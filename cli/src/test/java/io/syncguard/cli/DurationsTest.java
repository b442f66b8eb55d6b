package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "5, PT5S",
    "500ms, PT0.5S",
    "30s, PT30S",
    "5m, PT5M",
    "2H, PT2H",
    "7d, PT168H"
  })
  void aNumberIsSecondsUnlessItHasAUnit(String text, Duration duration) {
    assertThat(new Durations().convert(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "-1", "1.5s", "1w", "1 s", "9999999999"})
  void somethingElseIsRefused(String text) {
    assertThatThrownBy(() -> new Durations().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'");
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
