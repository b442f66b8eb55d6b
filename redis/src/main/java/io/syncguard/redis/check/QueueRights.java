package io.syncguard.redis.check;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.VoidOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.failure.RedisFailures;
import io.syncguard.spi.Finding;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Whether a user may do what waiting for locks needs. Each command is sent in a way that changes
 * nothing, as there is no such key and no listener to such a channel.
 */
final class QueueRights {

  private static final String CHANNEL = "syncguard:locked:none";

  private final Connections connections;
  private final Duration timeout;
  private final String key;

  QueueRights(Connections connections, Duration timeout, String keyPrefix) {
    this.connections = connections;
    this.timeout = timeout;
    this.key = keyPrefix + ":id:queue:id:none";
  }

  /** Blocks while the commands on a queue are tried. */
  Finding queue() {
    Map<CommandType, List<String>> commands = new LinkedHashMap<>();
    commands.put(CommandType.ZADD, List.of("XX", "0", "none"));
    commands.put(CommandType.ZREM, List.of("none"));
    commands.put(CommandType.ZREMRANGEBYRANK, List.of("0", "0"));
    commands.put(CommandType.ZSCORE, List.of("none"));
    commands.put(CommandType.ZRANK, List.of("none"));
    commands.put(CommandType.ZRANGE, List.of("0", "0"));
    commands.put(CommandType.ZREVRANGE, List.of("0", "0"));
    commands.put(CommandType.EXISTS, List.of());
    commands.put(CommandType.PEXPIRE, List.of("1"));
    for (Map.Entry<CommandType, List<String>> command : commands.entrySet()) {
      if (isRefused(send(command.getKey(), key, command.getValue()))) {
        String name = command.getKey().name().toLowerCase(Locale.ROOT);
        return Finding.failure(
            "queue",
            "this user may not use " + name + ", so waiting for a lock fails",
            "Allow this user +" + name + ", and the other commands that the store's guide lists");
      }
    }
    return Finding.ok("queue", "waiters for locks can queue");
  }

  /** Blocks while a message is published, and a channel subscribed to. */
  Finding messages() {
    if (isRefused(send(CommandType.PUBLISH, CHANNEL, List.of("")))) {
      return unheard("publish");
    }
    return isRefused(connections.connectForMessages().thenCompose(QueueRights::subscribe))
        ? unheard("subscribe")
        : Finding.ok("messages", "waiters are told of grants by messages");
  }

  private static Finding unheard(String command) {
    return Finding.warning(
        "messages",
        "this user may not "
            + command
            + ", so waiters learn of grants later, when they show that they live",
        "Allow this user +publish +subscribe, and the channels &syncguard:locked:*");
  }

  private CompletionStage<Void> send(CommandType command, String first, List<String> others) {
    CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8).addKey(first);
    others.forEach(arguments::add);
    return connections.commands().dispatch(command, new VoidOutput<>(), arguments);
  }

  private static CompletionStage<Void> subscribe(
      StatefulRedisPubSubConnection<String, String> connection) {
    CompletionStage<Void> subscribing = connection.async().subscribe(CHANNEL);
    return subscribing.whenComplete((done, failure) -> Connections.letEnd(connection.closeAsync()));
  }

  /** Other failures are not this one's to tell. */
  private boolean isRefused(CompletionStage<?> command) {
    try {
      ServerCheck.within(timeout, command.toCompletableFuture());
      return false;
    } catch (RuntimeException e) {
      SyncGuardException failure = RedisFailures.of(e, Subject.NONE);
      if (failure.code() == Code.AUTH_FAILED) {
        return true;
      }
      throw failure;
    }
  }
}
