package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {

  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "0s, PT0S",
    "500ms, PT0.5S",
    "30s, PT30S",
    "5m, PT5M",
    "2H, PT2H",
    "7d, PT168H"
  })
  void aTimeIsANumberWithAUnit(String text, Duration time) {
    assertThat(TimeText.parse(text)).contains(time);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "5", "00", "-1s", "1.5s", "1w", "1 s", "9999999999s"})
  void somethingElseIsNone(String text) {
    assertThat(TimeText.parse(text)).isEmpty();
  }
}
