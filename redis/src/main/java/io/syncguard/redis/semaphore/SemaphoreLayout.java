package io.syncguard.redis.semaphore;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which Redis keys belong to a semaphore: the six patterns that clients in other languages use. On
 * Cluster the name is their common hash tag, and a notification list has it too.
 */
public final class SemaphoreLayout {

  private static final String CHANNELS = "syncguard:granted:";

  /**
   * Makes members longer than 64 bytes. Redis, unless configured otherwise, keeps a small sorted
   * set of shorter members as one list with every score as a text, and parses all of them whenever
   * a waiter joins the queue.
   */
  private static final String PADDING = ".".repeat(21);

  private final String main;
  private final String ttl;
  private final String max;
  private final String waiting;
  private final String heartbeat;
  private final String notification;
  private final boolean tagged;

  /** What the members of this store's permits, and no others, end with. */
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

  /** Returns the layout on one server. */
  public static SemaphoreLayout plain(String namespace) {
    return new SemaphoreLayout(namespace, false);
  }

  /** Returns the layout on Cluster. */
  public static SemaphoreLayout tagged(String namespace) {
    return new SemaphoreLayout(namespace, true);
  }

  /** Returns the keys of a name in the scripts' order; the scripts name its other keys. */
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

  /** Returns the name of a waiter's notification list, up to the waiter's id. */
  private String notificationPrefix(ResourceKey name) {
    return notification + (tagged ? last(name) + ":" : "");
  }

  /** Returns the name of a waiter's notification list. */
  String notification(ResourceKey name, PermitId id) {
    return notificationPrefix(name) + member(id);
  }

  /** Returns the name of a permit in the sorted sets. */
  String member(PermitId id) {
    return id.value() + PADDING + process;
  }

  /** Returns the permit of this name, if it is one of this store. */
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

  /** Returns where the scripts publish the members of this store's permits that get a slot. */
  String channel() {
    return CHANNELS + process;
  }

  /** Returns what the scripts are told of an attempt, in their order. */
  List<String> arguments(SemaphoreOperation.Acquire request) {
    List<String> arguments =
        arguments(request.permit().id(), request.heartbeatTimeout(), request.ttl());
    arguments.add(Integer.toString(request.limit()));
    if (!request.waits()) {
      arguments.add("1");
    }
    return arguments;
  }

  /** Returns what the scripts are told of a confirmation, in their order. */
  List<String> arguments(SemaphoreOperation.Confirm confirm) {
    return arguments(confirm.permit().id(), confirm.heartbeatTimeout(), confirm.ttl());
  }

  private List<String> arguments(PermitId id, Duration heartbeatTimeout, Duration ttl) {
    List<String> arguments = new ArrayList<>();
    arguments.add(member(id));
    arguments.add(Long.toString(heartbeatTimeout.toMillis()));
    arguments.add(Long.toString(ttl.toMillis()));
    return arguments;
  }

  /** Returns a pattern that matches the keys with the limits of all names in use. */
  String pattern() {
    return max + (tagged ? "{*}" : "*");
  }

  /** Returns the name whose limit is in this key. */
  ResourceKey nameIn(String maxKey) {
    String last = maxKey.substring(max.length());
    return ResourceKey.of(tagged ? last.substring(1, last.length() - 1) : last);
  }
}
