package io.syncguard.redis.lock;

import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockIdMarks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The layout on Cluster, where all keys of a lock must share a slot and a release knows only the
 * lockId: one of 16 hash tags is chosen by the user's key and remembered in the four bits of the
 * lockId's last character that 16 random bytes leave unused.
 */
public final class ClusterLayout implements KeyLayout {

  /** Tags whose slots fall evenly over the 16384. */
  private static final List<String> TAGS =
      List.of(
          "0232", "12f2", "210a", "3198", "423b", "52fb", "6101", "71e1", "811b", "91db", "a36",
          "bb0", "c8e", "dcd", "e76", "fad");

  private final List<PlainLayout> byTag;

  /** Names keys that begin with the prefix. */
  public ClusterLayout(String prefix) {
    this.byTag = TAGS.stream().map(tag -> new PlainLayout(prefix + ":{" + tag + "}")).toList();
  }

  @Override
  public Names names(ResourceKey key) {
    return byTag.get(tagOf(key)).names(key);
  }

  @Override
  public String indexKey(LockId lockId) {
    return byTag.get(LockIdMarks.of(lockId)).indexKey(lockId);
  }

  @Override
  public LockId newLockId(ResourceKey key) {
    return LockIdMarks.random(tagOf(key));
  }

  /** All tags at once: a walk through a cluster goes from node to node, not from tag to tag. */
  @Override
  public String pattern() {
    return byTag.get(0).pattern().replace("{" + TAGS.get(0) + "}", "{*}");
  }

  @Override
  public boolean mayBeLock(String redisKey) {
    return byTag.stream().anyMatch(layout -> layout.mayBeLock(redisKey));
  }

  private static int tagOf(ResourceKey key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(key.value().getBytes(StandardCharsets.UTF_8));
      return digest[0] & 0xF;
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }
}
