package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.Contended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.ReleaseResult;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which keys there are, which are the same, and which are refused. */
public interface KeySuite extends LockSuite {

  /** Keys that a store could take for something else. */
  static Stream<String> hostileKeys() {
    return Stream.of(
        "a",
        " ",
        " leading and trailing ",
        "/a",
        "a/b/c",
        "..",
        ".",
        "__x__",
        "%",
        "%2Fa",
        "100%_done",
        "line\nbreak",
        "tab\tkey",
        "quote\"back\\slash",
        "ends in a backslash\\",
        "\",\"lockId\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"x\":\"",
        "\"expiresAtMs\":1,",
        "{\"key\":\"x\"}",
        "'; DROP TABLE syncguard_locks; --",
        "{tag}key",
        "}{",
        "*",
        "?[a-z]",
        "$1",
        ":",
        "::",
        "a:id:b",
        "a:fence:b",
        "日本語のキー",
        "😀",
        "\u0001control",
        "null",
        "0",
        "-1",
        "x".repeat(512),
        "é".repeat(256),
        "\\".repeat(512));
  }

  @ParameterizedTest
  @MethodSource("io.syncguard.testkit.lock.KeySuite#hostileKeys")
  default void aHostileKeyIsAKeyLikeAnyOther(String hostile) {
    String key = hostile.length() > 200 ? hostile : hostile + newKey();
    LockHandle lock = take(locks(), key, LONG);
    assertThat(otherLocks().tryLock(key, LONG)).isInstanceOf(Contended.class);
    assertThat(otherLocks().isLocked(key)).isTrue();
    assertThat(otherLocks().getByKeyRaw(key).orElseThrow().key()).isEqualTo(key);
    assertThat(otherLocks().getByIdRaw(lock.lockId()).orElseThrow().key()).isEqualTo(key);
    assertThat(otherLocks().extend(lock.lockId(), LONG).isExtended()).isTrue();
    assertThat(lock.extend(LONG).isExtended()).isTrue();
    assertThat(otherLocks().getByKeyRaw(key).orElseThrow().key()).isEqualTo(key);
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(otherLocks().isLocked(key)).isFalse();
    LockHandle again = take(otherLocks(), key, LONG);
    assertThat(again.fence()).isGreaterThan(lock.fence());
    assertThat(locks().release(again.lockId())).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  default void keysThatLookAlikeAreDifferent() {
    String base = newKey();
    List<String> alike =
        List.of(
            base,
            base + " ",
            " " + base,
            base + "A",
            base + "a",
            "/" + base,
            base + "/",
            base + "%",
            base + "\u200b");
    List<LockHandle> held = alike.stream().map(key -> take(locks(), key, LONG)).toList();
    assertThat(held).allMatch(LockHandle::isHeld);
    held.forEach(LockHandle::close);
  }

  @Test
  default void keysThatUnicodeHoldsEqualAreTheSame() {
    String base = newKey();
    try (LockHandle composed = take(locks(), base + "caf\u00e9", LONG)) {
      assertThat(otherLocks().tryLock(base + "cafe\u0301")).isInstanceOf(Contended.class);
      assertThat(otherLocks().isLocked(base + "cafe\u0301")).isTrue();
      assertThat(composed.key()).isEqualTo(base + "caf\u00e9");
    }
  }

  /** Keys that are none. */
  static Stream<String> badKeys() {
    return Stream.of(
        "",
        "x".repeat(513),
        "é".repeat(257),
        "nul\0inside",
        "high surrogate \ud83d",
        "low surrogate \ude00 alone");
  }

  @ParameterizedTest
  @MethodSource("io.syncguard.testkit.lock.KeySuite#badKeys")
  default void aBadKeyIsRefusedByEveryOperation(String bad) {
    assertFails(Code.INVALID_ARGUMENT, () -> locks().tryLock(bad));
    assertFails(Code.INVALID_ARGUMENT, () -> locks().lock(bad));
    assertFails(Code.INVALID_ARGUMENT, () -> locks().run(bad, lock -> {}));
    assertFails(Code.INVALID_ARGUMENT, () -> locks().isLocked(bad));
    assertFails(Code.INVALID_ARGUMENT, () -> locks().getByKey(bad));
    assertFails(Code.INVALID_ARGUMENT, () -> locks().getByKeyRaw(bad));
    assertFails(Code.INVALID_ARGUMENT, () -> join(locks().async().tryLock(bad)));
    assertFails(Code.INVALID_ARGUMENT, () -> join(locks().async().lock(bad)));
    assertFails(Code.INVALID_ARGUMENT, () -> join(locks().async().isLocked(bad)));
    assertFails(Code.INVALID_ARGUMENT, () -> join(locks().async().getByKey(bad)));
  }
}
