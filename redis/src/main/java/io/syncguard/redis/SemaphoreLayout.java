package io.syncguard.redis;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.ResourceKey;
import java.util.List;

/**
 * Which Redis keys belong to a semaphore: the six patterns that clients in other languages use. On
 * Cluster the name is their common hash tag, and a notification list has it too.
 */
final class SemaphoreLayout {

  private static final String NAMESPACE = "adv-sem";
  private static final String MAX = NAMESPACE + ":semaphore_max:";

  private final boolean tagged;

  private SemaphoreLayout(boolean tagged) {
    this.tagged = tagged;
  }

  static SemaphoreLayout plain() {
    return new SemaphoreLayout(false);
  }

  static SemaphoreLayout tagged() {
    return new SemaphoreLayout(true);
  }

  /** The keys that every script has, in the scripts' order. */
  List<String> keys(ResourceKey name) {
    String last = last(name);
    return List.of(
        NAMESPACE + ":semaphore_main:" + last,
        NAMESPACE + ":semaphore_ttl:" + last,
        MAX + last,
        NAMESPACE + ":semaphore_waiting:" + last,
        NAMESPACE + ":semaphore_waiting_heartbeat:" + last);
  }

  private String last(ResourceKey name) {
    if (!tagged) {
      return name.value();
    }
    if (name.value().startsWith("}")) {
      throw SyncGuardException.invalidArgument(
          "On Redis Cluster a semaphore's name must not begin with a closing brace");
    }
    return "{" + name.value() + "}";
  }

  /** What a waiter's notification list is called, up to the waiter's id. */
  String notificationPrefix(ResourceKey name) {
    return NAMESPACE + ":acquisition_notification:" + (tagged ? last(name) + ":" : "");
  }

  String notification(ResourceKey name, PermitId id) {
    return notificationPrefix(name) + id.value();
  }

  /** Matches the keys that hold the limits of all names in use. */
  String pattern() {
    return MAX + "*";
  }

  /** The name whose limit is in this key. */
  ResourceKey nameIn(String maxKey) {
    String last = maxKey.substring(MAX.length());
    return ResourceKey.of(tagged ? last.substring(1, last.length() - 1) : last);
  }
}
