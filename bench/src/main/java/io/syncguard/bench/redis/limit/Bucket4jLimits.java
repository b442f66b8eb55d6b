package io.syncguard.bench.redis.limit;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.redis.Server;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/** Bucket4j over Lettuce, all settings at their defaults. */
final class Bucket4jLimits implements Contestant {

  private final RedisClient client;
  private final StatefulRedisConnection<String, byte[]> connection;
  private final ProxyManager<String> manager;
  private final BucketConfiguration plenty =
      BucketConfiguration.builder()
          .addLimit(
              limit ->
                  limit
                      .capacity(LimitReport.PLENTY)
                      .refillGreedy(LimitReport.PLENTY, Duration.ofSeconds(1)))
          .build();
  private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

  Bucket4jLimits(Server server) {
    this.client = RedisClient.create(server.uri());
    this.connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
    this.manager = Bucket4jLettuce.casBasedBuilder(connection).build();
  }

  @Override
  public void cycle(String key) {
    Bucket bucket =
        buckets.computeIfAbsent(key, k -> manager.builder().build("bucket4j:" + k, () -> plenty));
    Contestant.require(bucket.tryConsume(1), "Bucket4j's tryConsume");
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
