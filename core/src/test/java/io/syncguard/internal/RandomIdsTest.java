package io.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomIdsTest {

  @Test
  void anIdIsDrawnWhenItIsNeededAndNoneAhead() {
    List<Integer> drawn = new ArrayList<>();
    SecureRandom recording =
        new SecureRandom() {
          @Override
          public void nextBytes(byte[] bytes) {
            drawn.add(bytes.length);
            super.nextBytes(bytes);
          }
        };
    String one = RandomIds.next(recording);
    String two = RandomIds.next(recording);
    assertThat(drawn).containsExactly(16, 16);
    assertThat(one).isNotEqualTo(two);
  }
}
