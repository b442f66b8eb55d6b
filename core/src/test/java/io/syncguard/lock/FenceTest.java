package io.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.SyncGuardException;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FenceTest {

  private static final long GREATEST = 999_999_999_999_999L;

  private final Locale locale = Locale.getDefault();

  @AfterEach
  void restoreLocale() {
    Locale.setDefault(locale);
  }

  @Test
  void theThresholdsAreThoseOfTheSpecification() {
    assertThat(Fence.of(Fence.MAX)).hasToString("900000000000000");
    assertThat(Fence.of(Fence.WARN)).hasToString("090000000000000");
  }

  @Test
  void textsCompareAsTheFencesDo() {
    SplittableRandom random = new SplittableRandom(20_260_101);
    for (int i = 0; i < 100_000; i++) {
      Fence a = randomFence(random);
      Fence b = randomFence(random);

      assertThat(Integer.signum(a.compareTo(b)))
          .as("%s and %s", a, b)
          .isEqualTo(Integer.signum(a.toString().compareTo(b.toString())))
          .isEqualTo(Long.compare(a.toLong(), b.toLong()));
      assertThat(a.isNewerThan(b)).isEqualTo(a.compareTo(b) > 0);
    }
  }

  /** Any number of digits is as likely as any other, so that short and long ones meet. */
  private static Fence randomFence(SplittableRandom random) {
    long bound = (long) Math.pow(10, random.nextInt(1, 16));
    return Fence.of(random.nextLong(bound));
  }

  @Test
  void aFenceIsReadBackFromItsText() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 10_000; i++) {
      Fence fence = randomFence(random);

      assertThat(fence.toString()).hasSize(15);
      assertThat(Fence.parse(fence.toString())).isEqualTo(fence).hasSameHashCodeAs(fence);
    }
  }

  @Test
  void aFenceIsNotNewerThanItself() {
    assertThat(Fence.of(1).isNewerThan(Fence.of(1))).isFalse();
    assertThat(Fence.of(1)).isEqualByComparingTo(Fence.of(1)).isNotEqualTo(1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "00000000000001",
        "0000000000000001",
        "-00000000000001",
        "+00000000000001",
        " 00000000000001",
        "00000000000001 ",
        "000000000000001\n",
        "00000000000001\n",
        "00000000000000a",
        "0000000000000.1",
        "00000000000000\u0661",
        "\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0661",
        "00000000000000\uFF11"
      })
  void onlyExactly15AsciiDigitsAreRead(String text) {
    Failure.ofBadArgument(() -> Fence.parse(text));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, GREATEST + 1, Long.MAX_VALUE, Long.MIN_VALUE})
  void aNumberThatDoesNotFitInto15DigitsIsRefused(long number) {
    Failure.of(SyncGuardException.Code.INTERNAL, () -> Fence.of(number));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG-u-nu-arab", "hi-IN-u-nu-deva", "th-TH-u-nu-thai", "tr-TR"})
  void theDefaultLocaleDoesNotChangeTheDigits(String tag) {
    Locale.setDefault(Locale.forLanguageTag(tag));

    assertThat(Fence.of(1_234_567_890L)).hasToString("000001234567890");
    assertThat(Fence.parse("000001234567890").toLong()).isEqualTo(1_234_567_890L);
  }
}
