package io.syncguard.redis.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterLayoutTest {

  private static final int TAGS = 16;
  private static final int KEYS = 10_000;
  private static final String BASE64URL =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private final ClusterLayout layout = new ClusterLayout("syncguard");

  /** Random keys, the same in every run, some with braces that must not count as a hash tag. */
  private static Stream<ResourceKey> keys() {
    Random random = new Random(1);
    return IntStream.range(0, KEYS)
        .mapToObj(
            i ->
                switch (i % 4) {
                  case 0 -> "order:" + random.nextInt();
                  case 1 -> "{" + random.nextInt() + "}";
                  case 2 -> "}{" + random.nextInt() + "\u00e9";
                  default -> Long.toHexString(random.nextLong());
                })
        .map(ResourceKey::of);
  }

  @Test
  void allKeysOfALockShareASlotAndItsIdAloneLeadsThere() {
    keys()
        .forEach(
            key -> {
              KeyLayout.Names names = layout.names(key);
              LockId lockId = layout.newLockId(key);
              int slot = SlotHash.getSlot(names.lockKey());
              assertThat(SlotHash.getSlot(names.fenceKey())).isEqualTo(slot);
              assertThat(layout.indexKey(lockId)).isEqualTo(names.indexKey(lockId));
              assertThat(SlotHash.getSlot(layout.indexKey(lockId))).isEqualTo(slot);
            });
  }

  @Test
  void anIdIsOfTheUsualFormAndItsLastFourBitsAreTheTag() {
    keys()
        .forEach(
            key -> {
              String lockId = layout.newLockId(key).value();
              assertThat(lockId).matches("^[A-Za-z0-9_-]{22}$");
              int tag = BASE64URL.indexOf(lockId.charAt(21)) & 0xF;
              assertThat(layout.names(key).lockKey())
                  .startsWith("syncguard:{" + Integer.toHexString(tag));
            });
  }

  @Test
  void theOther128BitsOfAnIdStayRandom() {
    ResourceKey key = ResourceKey.of("k");
    BitSet everSet = new BitSet();
    BitSet everClear = new BitSet();
    Set<LockId> ids = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      LockId id = layout.newLockId(key);
      ids.add(id);
      BitSet bits = BitSet.valueOf(Base64.getUrlDecoder().decode(id.value() + "AA"));
      everSet.or(bits);
      bits.flip(0, 128);
      everClear.or(bits);
    }
    assertThat(ids).hasSize(200);
    assertThat(everSet.get(0, 128).cardinality()).isEqualTo(128);
    assertThat(everClear.get(0, 128).cardinality()).isEqualTo(128);
  }

  @Test
  void tagsFallEvenlyOverTheSlotsAndKeysOverTheTags() {
    Map<Integer, Integer> keysBySlot = new HashMap<>();
    keys()
        .forEach(
            key ->
                keysBySlot.merge(SlotHash.getSlot(layout.names(key).lockKey()), 1, Integer::sum));

    List<Integer> slots = keysBySlot.keySet().stream().sorted().toList();
    int share = SlotHash.SLOT_COUNT / TAGS;
    assertThat(slots).hasSize(TAGS);
    assertThat(slots.stream().map(slot -> slot / share))
        .containsExactlyElementsOf(IntStream.range(0, TAGS).boxed().toList());
    assertThat(keysBySlot.values())
        .allSatisfy(count -> assertThat(count).isBetween(KEYS / TAGS * 3 / 4, KEYS / TAGS * 5 / 4));
  }

  @Test
  void aKeyKeepsItsTagInEveryForm() {
    assertThat(layout.names(ResourceKey.of("cafe\u0301")))
        .isEqualTo(layout.names(ResourceKey.of("caf\u00e9")));
  }

  @Test
  void theLongestNamesFitIntoTheLimitUncut() {
    String prefix = "p".repeat(200);
    ResourceKey key = ResourceKey.of("k".repeat(512));
    for (KeyLayout any : List.of(new ClusterLayout(prefix), new PlainLayout(prefix))) {
      KeyLayout.Names names = any.names(key);
      assertThat(names.lockKey()).startsWith(prefix + ":").endsWith(":" + key.value());
      assertThat(names.fenceKey()).contains(":fence:" + names.lockKey());
      for (String name :
          List.of(names.lockKey(), names.fenceKey(), any.indexKey(LockId.random()))) {
        assertThat(name.getBytes(StandardCharsets.UTF_8).length + 26).isLessThanOrEqualTo(1000);
      }
    }
  }
}
