package io.syncguard.redis;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.ResourceKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which Redis keys belong to a semaphore: the six patterns that clients in other languages use. On
 * Cluster the name is their common hash tag, and a notification list has it too.
 */
final class SemaphoreLayout {

  private static final String CHANNELS = "syncguard:granted:";

  /**
   * Makes members longer than 64 bytes. Redis, unless configured otherwise, keeps a sorted set
   * whose members are all shorter, and not many, as one list with every score as a text, and to
   * join the queue would be to have all of them parsed.
   */
  private static final String PADDING = ".".repeat(21);

  private final String main;
  private final String ttl;
  private final String max;
  private final String waiting;
  private final String heartbeat;
  private final String notification;
  private final boolean tagged;

  /** Of this store alone: what the members of its permits end with. */
  private final String process = PermitId.random().value();

  private SemaphoreLayout(String namespace, boolean tagged) {
    this.main = namespace + ":semaphore_main:";
    this.ttl = namespace + ":semaphore_ttl:";
    this.max = namespace + ":semaphore_max:";
    this.waiting = namespace + ":semaphore_waiting:";
    this.heartbeat = namespace + ":semaphore_waiting_heartbeat:";
    this.notification = namespace + ":acquisition_notification:";
    this.tagged = tagged;
  }

  static SemaphoreLayout plain(String namespace) {
    return new SemaphoreLayout(namespace, false);
  }

  static SemaphoreLayout tagged(String namespace) {
    return new SemaphoreLayout(namespace, true);
  }

  /** What every script is told of a name, in the scripts' order; they name its other keys. */
  List<String> keys(ResourceKey name) {
    String last = last(name);
    if (!tagged) {
      return List.of(main + last, ttl + last, max + last, waiting + last);
    }
    String lists = notificationPrefix(name);
    return List.of(main + last, ttl + last, max + last, waiting + last, lists, heartbeat + last);
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
  private String notificationPrefix(ResourceKey name) {
    return notification + (tagged ? last(name) + ":" : "");
  }

  String notification(ResourceKey name, PermitId id) {
    return notificationPrefix(name) + member(id);
  }

  /** What a permit is called in the sorted sets. */
  String member(PermitId id) {
    return id.value() + PADDING + process;
  }

  /** Which permit is called so, if it is one of this store. */
  Optional<PermitId> idOf(String member) {
    int end = member.length() - PADDING.length() - process.length();
    if (end < 0 || !member.endsWith(PADDING + process)) {
      return Optional.empty();
    }
    try {
      return Optional.of(PermitId.of(member.substring(0, end)));
    } catch (SyncGuardException e) {
      return Optional.empty();
    }
  }

  /** Where the scripts publish the members of this store's permits when they are granted a slot. */
  String channel() {
    return CHANNELS + process;
  }

  /** What the scripts are told of an attempt, in their order. */
  List<String> arguments(PermitRequest request) {
    List<String> arguments = new ArrayList<>();
    arguments.add(member(request.permit().id()));
    arguments.add(Integer.toString(request.limit()));
    arguments.add(Long.toString(request.heartbeatTimeout().toMillis()));
    arguments.add(Long.toString(request.ttl().toMillis()));
    if (!request.waits()) {
      arguments.add("1");
    }
    return arguments;
  }

  /** Matches the keys that hold the limits of all names in use. */
  String pattern() {
    return max + (tagged ? "{*}" : "*");
  }

  /** The name whose limit is in this key. */
  ResourceKey nameIn(String maxKey) {
    String last = maxKey.substring(max.length());
    return ResourceKey.of(tagged ? last.substring(1, last.length() - 1) : last);
  }
}
