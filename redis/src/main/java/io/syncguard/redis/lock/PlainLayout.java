package io.syncguard.redis.lock;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.StorageKeys;
import java.util.regex.Pattern;

/** The layout that SyncGuard clients in other languages use: {@code prefix:key}. */
public final class PlainLayout implements KeyLayout {

  private static final int LIMIT_BYTES = 1000;
  private static final Pattern SPECIAL_IN_PATTERNS = Pattern.compile("[*?\\[\\]\\\\]");
  private static final int RESERVED_BYTES = ":id:".length() + 22;

  private final StorageKeys names;
  private final String indexPrefix;

  /** Names keys that begin with the prefix. */
  public PlainLayout(String prefix) {
    this.names = new StorageKeys(prefix, LIMIT_BYTES, RESERVED_BYTES);
    this.indexPrefix = names.prefix() + ":id:";
  }

  @Override
  public Names names(ResourceKey key) {
    String user = key.value();
    if (user.startsWith("id:") || user.startsWith("fence:")) {
      throw SyncGuardException.invalidArgument(
          "On Redis a key must not begin with 'id:' or 'fence:': SyncGuard's own keys are named so");
    }
    return new Names(names.of(user), names.fenceOf(user), indexPrefix);
  }

  @Override
  public String indexKey(LockId lockId) {
    return indexPrefix + lockId.value();
  }

  @Override
  public LockId newLockId(ResourceKey key) {
    return LockId.random();
  }

  @Override
  public String pattern() {
    return SPECIAL_IN_PATTERNS.matcher(names.prefix()).replaceAll("\\\\$0") + ":*";
  }

  @Override
  public boolean mayBeLock(String redisKey) {
    return redisKey.startsWith(names.prefix() + ":")
        && !redisKey.startsWith(indexPrefix)
        && !redisKey.startsWith(names.prefix() + ":fence:");
  }
}
