package io.syncguard.redis.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.semaphore.PermitAttempt;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrantNoticeTest {

  @Test
  void aSlotIsOverAfterTheWaitersOwnTime() {
    assertThat(GrantNotice.of("member 3 1794772825373"))
        .hasValueSatisfying(
            notice -> {
              assertThat(notice.member()).isEqualTo("member");
              assertThat(notice.heldFor(Duration.ofMillis(10)))
                  .isEqualTo(new PermitAttempt.Held(3, Instant.ofEpochMilli(1794772825383L)));
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "member",
        "member 1",
        "member 1 2 3",
        "member one 2",
        "member 1 -2",
        "member 1000000000 2",
        "member 1 1000000000000000"
      })
  void whatIsNoneOfTheScriptsSaysNothing(String text) {
    assertThat(GrantNotice.of(text)).isEmpty();
  }
}
