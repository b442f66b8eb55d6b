package io.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.KeyHash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockIdTest {

  private static final int THREADS = 8;
  private static final int IDS_PER_THREAD = 25_000;
  private static final String ID = "abcdefghijklmnopqrst_-";

  private final List<String> randomIds = new ArrayList<>();

  @BeforeAll
  void makeIdsInManyThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Callable<List<String>> making =
          () -> Stream.generate(() -> LockId.random().value()).limit(IDS_PER_THREAD).toList();
      for (Future<List<String>> made :
          threads.invokeAll(Stream.generate(() -> making).limit(THREADS).toList())) {
        randomIds.addAll(made.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @AfterAll
  void forgetThem() {
    randomIds.clear();
  }

  @Test
  void noRandomIdIsMadeTwice() {
    assertThat(randomIds).hasSize(200_000);
    assertThat(new HashSet<>(randomIds)).hasSize(200_000);
  }

  @Test
  void everyRandomIdIsValid() {
    assertThat(randomIds).allMatch(LockId::isValid);
  }

  @Test
  void aRandomIdHas128BitsSoItsLastCharacterIsOneOfFour() {
    assertThat(charactersAt(21)).containsExactlyInAnyOrder('A', 'Q', 'g', 'w');
  }

  @Test
  void everyOtherCharacterTakesAll64Values() {
    for (int position = 0; position < 21; position++) {
      assertThat(charactersAt(position)).as("position %s", position).hasSize(64);
    }
  }

  private Set<Character> charactersAt(int position) {
    Set<Character> seen = new HashSet<>();
    randomIds.forEach(id -> seen.add(id.charAt(position)));
    return seen;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abcdefghijklmnopqrst_",
        "abcdefghijklmnopqrst_-a",
        "abcdefghijklmnopqrst_-\n",
        "\nabcdefghijklmnopqrst_-",
        "abcdefghijklmnopqrst_\n",
        "abcdefghijklmnopqrst+/",
        "abcdefghijklmnopqrs_==",
        "abcdefghijklmnopqrst_\u00E9",
        "abcdefghijklmnopqrst_\u0660",
        "abcdefghijklmnopqrst_\uFF21",
        "abcdefghijklmnopqrst_\0",
        "abcdefghijklmnop rst_-"
      })
  void whatIsNotExactly22CharactersOfBase64UrlIsRefused(String text) {
    assertThat(LockId.isValid(text)).isFalse();
    assertThat(Failure.ofBadArgument(() -> LockId.of(text)))
        .hasMessageNotContaining("abcdefghijklmnop");
  }

  @Test
  void anIdOfAnotherClientIsTakenAlsoIfItsLastBitsAreSet() {
    assertThat(LockId.of(ID).value()).isEqualTo(ID);
  }

  @Test
  void idsAreEqualIfTheirTextsAre() {
    assertThat(LockId.of(ID))
        .isEqualTo(LockId.of(ID))
        .hasSameHashCodeAs(LockId.of(ID))
        .isNotEqualTo(LockId.of("ABCDEFGHIJKLMNOPQRST_-"))
        .isNotEqualTo(ID);
  }

  @Test
  void itsTextGivesNothingAway() {
    assertThat(LockId.of(ID)).hasToString("LockId[" + KeyHash.of(ID) + "]");
    assertThat(LockId.of(ID).hash()).isEqualTo(KeyHash.of(ID));
  }
}
