package io.syncguard.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  @Test
  void aPortIsHandedOutOnceAndIsNeverEphemeral() {
    assertThat(Stream.generate(FreePorts::next).limit(250))
        .doesNotHaveDuplicates()
        .allMatch(port -> port < 32_768);
  }
}
