package io.syncguard.bench.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.syncguard.testkit.server.RedisServer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The Redis that all contestants use, and a connection to observe it. */
public final class Server implements AutoCloseable {

  private final @Nullable RedisServer own;
  private final String uri;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;

  private Server(@Nullable RedisServer own, String uri) {
    this.own = own;
    this.uri = uri;
    this.client = RedisClient.create(uri);
    this.connection = client.connect();
  }

  public static Server start() {
    RedisServer own = RedisServer.start();
    return new Server(own, own.uri());
  }

  public static Server at(String uri) {
    return new Server(null, uri);
  }

  public String uri() {
    return uri;
  }

  public RedisURI address() {
    return RedisURI.create(uri);
  }

  public RedisCommands<String, String> commands() {
    return connection.sync();
  }

  public LettuceConnectionFactory springConnections() {
    LettuceConnectionFactory factory =
        new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(uri));
    factory.afterPropertiesSet();
    factory.start();
    return factory;
  }

  /** Returns the {@code name:value} lines of a section of INFO. */
  public Map<String, String> info(String section) {
    Map<String, String> fields = new TreeMap<>();
    commands()
        .info(section)
        .lines()
        .map(line -> line.split(":", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> fields.put(pair[0], pair[1]));
    return fields;
  }

  public String info(String section, String field) {
    String value = info(section).get(field);
    if (value == null) {
      throw new IllegalStateException("INFO " + section + " has no " + field);
    }
    return value;
  }

  /** Returns the processor time that Redis has used so far. */
  public double cpuSeconds() {
    Map<String, String> cpu = info("cpu");
    return Double.parseDouble(cpu.getOrDefault("used_cpu_user", "NaN"))
        + Double.parseDouble(cpu.getOrDefault("used_cpu_sys", "NaN"));
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
    if (own != null) {
      own.close();
    }
  }
}
