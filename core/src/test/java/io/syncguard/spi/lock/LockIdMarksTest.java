package io.syncguard.spi.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockIdMarksTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 15})
  void anIdKeepsItsMarkAndIsRandomOtherwise(int mark) {
    LockId one = LockIdMarks.random(mark);
    LockId two = LockIdMarks.random(mark);

    assertThat(LockIdMarks.of(one)).isEqualTo(mark);
    assertThat(LockIdMarks.of(LockId.of(one.value()))).isEqualTo(mark);
    assertThat(one).isNotEqualTo(two);
  }
}
