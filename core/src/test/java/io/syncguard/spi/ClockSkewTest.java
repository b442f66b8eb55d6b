package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.ClockSkew.Verdict;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockSkewTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "0,OK",
    "199,OK",
    "-199,OK",
    "200,WARN",
    "-200,WARN",
    "499,WARN",
    "500,FAIL",
    "-500,FAIL"
  })
  void aSkewIsJudgedByItsSizeWhicheverWay(long aheadMs, Verdict verdict) {
    Instant here = NOON.plusMillis(aheadMs);
    ClockSkew measured = ClockSkew.between(here, NOON, here);
    assertThat(measured.skew()).isEqualTo(Duration.ofMillis(aheadMs));
    assertThat(measured.verdict()).isEqualTo(verdict);
  }

  @Test
  void whatASlowNetworkMayExplainIsNoAlarm() {
    ClockSkew measured = ClockSkew.between(NOON, NOON, NOON.plusSeconds(2));
    assertThat(measured.skew()).isEqualTo(Duration.ofSeconds(1));
    assertThat(measured.uncertainty()).isEqualTo(Duration.ofSeconds(1));
    assertThat(measured.verdict()).isEqualTo(Verdict.OK);
  }
}
