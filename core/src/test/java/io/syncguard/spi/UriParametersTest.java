package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UriParametersTest {

  @ParameterizedTest
  @ValueSource(strings = {"tiemout=1s", "tiemout="})
  void anUnknownParameterIsNamedWithoutItsValue(String parameter) {
    assertThat(UriParameters.unknown("Redis", parameter, "timeout"))
        .hasMessage("The Redis URI has an unknown parameter, tiemout; known are timeout");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"hunter2@host:6379", "hunter2=x@host:6379", "hunter2%21=1", "hunter2", ""})
  void whatMayBePartOfAPasswordIsNotRepeated(String parameter) {
    assertThat(UriParameters.unknown("Redis", parameter, "timeout"))
        .hasMessageNotContaining("hunter2");
  }
}
