package io.syncguard.bench.redis.semaphore;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.bench.redis.Server;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Slots that are handed from client to client by one PUBLISH through bare Lettuce, and within a
 * client without Redis: what any semaphore can reach whose clients meet in Redis. It keeps nothing
 * there; who is next is known to all clients because they are in one process.
 */
final class BareHandOffs implements WaitingContestant {

  /** The slots and the queue of all clients. */
  static final class Shared {

    private final Queue<Waiter> queue = new ArrayDeque<>();
    private int free;
    private long lastId;

    Shared(int slots) {
      this.free = slots;
    }

    /** Takes a free slot and returns null, or joins the queue. */
    synchronized @Nullable Waiter enter(BareHandOffs client) {
      if (free > 0) {
        free--;
        return null;
      }
      Waiter waiter = new Waiter(client, Long.toString(++lastId), new Semaphore(0));
      client.waiters.put(waiter.id(), waiter);
      queue.add(waiter);
      return waiter;
    }

    /** Returns who is next, or frees the slot and returns null. */
    synchronized @Nullable Waiter next() {
      Waiter next = queue.poll();
      if (next == null) {
        free++;
      }
      return next;
    }
  }

  private record Waiter(BareHandOffs client, String id, Semaphore wakeUp) {}

  private final Shared shared;
  private final String channel = "bench:" + UUID.randomUUID();
  private final Map<String, Waiter> waiters = new ConcurrentHashMap<>();
  private final RedisClient redis;
  private final StatefulRedisConnection<String, String> connection;
  private final StatefulRedisPubSubConnection<String, String> messages;

  BareHandOffs(Server server, Shared shared) {
    this.shared = shared;
    this.redis = RedisClient.create(server.uri());
    this.connection = redis.connect();
    this.messages = redis.connectPubSub();
    messages.addListener(
        new RedisPubSubAdapter<String, String>() {
          @Override
          public void message(String from, String id) {
            wakeUp(id);
          }
        });
    messages.sync().subscribe(channel);
  }

  private void wakeUp(String id) {
    Waiter waiter = waiters.remove(id);
    if (waiter != null) {
      waiter.wakeUp().release();
    }
  }

  @Override
  public void cycle(String key) throws Exception {
    lock(key).release();
  }

  @Override
  public Held lock(String key) throws InterruptedException {
    Waiter waiter = shared.enter(this);
    if (waiter != null) {
      waiter.wakeUp().acquire();
    }
    return this::handOn;
  }

  private void handOn() throws Exception {
    Waiter next = shared.next();
    if (next == null) {
      return;
    }
    if (next.client() == this) {
      wakeUp(next.id());
    } else {
      connection.async().publish(next.client().channel, next.id()).get();
    }
  }

  @Override
  public void close() {
    messages.close();
    connection.close();
    redis.shutdown();
  }
}
