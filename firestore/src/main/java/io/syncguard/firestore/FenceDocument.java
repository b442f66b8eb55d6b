package io.syncguard.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.Fence;
import io.syncguard.spi.ResourceKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the document of a key's fence counter says. It is never deleted. */
final class FenceDocument {

  static final String FENCE = "fence";
  private static final String KEY_DEBUG = "keyDebug";

  private FenceDocument() {}

  /**
   * Returns the fence after the last one; fails before anything is written if there is none.
   *
   * @param expired the lock that was there, which may be all that is left of a lost counter
   */
  static Fence next(DocumentSnapshot counter, @Nullable LockDocument expired, ResourceKey key) {
    long counted = counter.exists() ? counted(counter, key) : 0;
    long last = expired == null ? counted : Math.max(counted, expired.fence().toLong());
    if (last >= Fence.MAX) {
      throw failure("The fences of key " + key.label() + " are used up; nothing was changed", key);
    }
    return Fence.of(last + 1);
  }

  private static long counted(DocumentSnapshot counter, ResourceKey key) {
    try {
      return Fence.parse(String.valueOf(counter.get(FENCE))).toLong();
    } catch (SyncGuardException e) {
      throw failure(
          "The fence counter of key " + key.label() + " is damaged; nothing was changed", key);
    }
  }

  static Map<String, Object> fields(Fence fence, ResourceKey key) {
    return Map.of(FENCE, fence.toString(), KEY_DEBUG, key.value());
  }

  private static SyncGuardException failure(String message, ResourceKey key) {
    return new SyncGuardException(Code.INTERNAL, message, Subject.ofLock(key.value(), null), null);
  }
}
