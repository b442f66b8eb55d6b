package io.syncguard.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void fieldsStayInTheirOrder() {
    assertThat(
            Json.of(
                Json.object(
                    "z", 1, "a", true, "n", null, "d", Duration.ofSeconds(2), "l", List.of(1, 2))))
        .isEqualTo("{\"z\":1,\"a\":true,\"n\":null,\"d\":2000,\"l\":[1,2]}");
    assertThat(Json.of(Instant.ofEpochMilli(5))).isEqualTo("5");
  }

  @Test
  void textComesBackAsItWas() throws Exception {
    String text = "quote \" back \\ line \n escape \u001b emoji \uD83D\uDE00 lone \uD800 ü";
    assertThat(new ObjectMapper().readTree(Json.of(text)).asText()).isEqualTo(text);
  }
}
