package io.syncguard.bench.redis.lock;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.redis.LuaFile;
import io.syncguard.bench.redis.Server;
import io.syncguard.lock.LockId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * The floor: the scripts of the seed, word for word, through bare Lettuce on one connection. It
 * does nothing else that a lock needs: no handle, no timeout, no answer to a lost reply.
 */
final class SeedScripts implements AsyncContestant {

  /** As long as SyncGuard's prefix, so that the keys are equally long. */
  private static final String PREFIX = "syncfloor";

  private static final String TTL_MS = Long.toString(LEASE.toMillis());
  private static final String TOLERANCE_MS = "1000";

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisAsyncCommands<String, String> commands;
  private final String acquireDigest;
  private final String releaseDigest;

  SeedScripts(Server server) {
    this.client = RedisClient.create(server.uri());
    this.connection = client.connect(StringCodec.UTF8);
    this.commands = connection.async();
    this.acquireDigest = connection.sync().scriptLoad(LuaFile.ofSeed("seed_acquire.lua"));
    this.releaseDigest = connection.sync().scriptLoad(LuaFile.ofSeed("seed_release.lua"));
  }

  private RedisFuture<List<Object>> acquire(String key, String lockId, String indexKey) {
    String lockKey = PREFIX + ":" + key;
    String[] keys = {lockKey, indexKey, PREFIX + ":fence:" + lockKey};
    return commands.evalsha(
        acquireDigest, ScriptOutputType.MULTI, keys, lockId, TTL_MS, TOLERANCE_MS, lockKey, key);
  }

  private RedisFuture<Long> release(String lockId, String indexKey) {
    String[] keys = {indexKey};
    return commands.evalsha(releaseDigest, ScriptOutputType.INTEGER, keys, lockId, TOLERANCE_MS);
  }

  private static String indexKey(String lockId) {
    return PREFIX + ":id:" + lockId;
  }

  private static void acquired(List<Object> answer) {
    Contestant.require(answer.size() == 3, "the seed's acquire");
  }

  private static void released(Long answer) {
    Contestant.require(answer == 1, "the seed's release");
  }

  @Override
  public void cycle(String key) throws InterruptedException, ExecutionException {
    String lockId = LockId.random().value();
    String indexKey = indexKey(lockId);
    acquired(acquire(key, lockId, indexKey).get());
    released(release(lockId, indexKey).get());
  }

  @Override
  public CompletionStage<?> cycleAsync(String key) {
    String lockId = LockId.random().value();
    String indexKey = indexKey(lockId);
    return acquire(key, lockId, indexKey)
        .thenCompose(
            answer -> {
              acquired(answer);
              return release(lockId, indexKey);
            })
        .thenAccept(SeedScripts::released);
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
