package io.syncguard.bench.redis.lock;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.redis.LuaFile;
import io.syncguard.bench.redis.Server;
import io.syncguard.lock.LockId;
import java.util.concurrent.ExecutionException;

/**
 * The scripts of SyncGuard's locks through bare Lettuce on one connection: by text, or by digest.
 */
final class BareLocks implements Contestant {

  /** As long as SyncGuard's prefix, so that the keys are equally long. */
  private static final String PREFIX = "syncfloor";

  private static final String TTL_MS = Long.toString(LEASE.toMillis());
  private static final String LIFE_MS = Long.toString(LEASE.toMillis() + 5000);

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final boolean byDigest;
  private final String acquire;
  private final String release;

  private BareLocks(Server server, boolean byDigest) {
    this.client = RedisClient.create(server.uri());
    this.connection = client.connect(StringCodec.UTF8);
    this.byDigest = byDigest;
    this.acquire = textOrDigest("lock/acquire.lua");
    this.release = textOrDigest("lock/release.lua");
  }

  static BareLocks byText(Server server) {
    return new BareLocks(server, false);
  }

  static BareLocks byDigest(Server server) {
    return new BareLocks(server, true);
  }

  private String textOrDigest(String path) {
    String text = LuaFile.ofStore(path);
    return byDigest ? connection.sync().scriptLoad(text) : text;
  }

  @Override
  public void cycle(String key) throws InterruptedException, ExecutionException {
    String lockId = LockId.random().value();
    String lockKey = PREFIX + ":" + key;
    String indexKey = PREFIX + ":id:" + lockId;
    String fenceKey = PREFIX + ":fence:" + lockKey;
    String head = "{\"key\":\"" + key + "\",\"lockId\":\"" + lockId + "\",\"fence\":\"";
    String[] acquired = {lockKey, indexKey, fenceKey};
    String[] released = {indexKey, lockKey};
    Contestant.require(
        run(acquire, ScriptOutputType.VALUE, acquired, head, TTL_MS, LIFE_MS) instanceof String,
        "the bare acquire");
    Contestant.require(
        Long.valueOf(1).equals(run(release, ScriptOutputType.INTEGER, released, head)),
        "the bare release");
  }

  private Object run(String script, ScriptOutputType type, String[] keys, String... arguments)
      throws InterruptedException, ExecutionException {
    RedisAsyncCommands<String, String> commands = connection.async();
    return byDigest
        ? commands.evalsha(script, type, keys, arguments).get()
        : commands.eval(script, type, keys, arguments).get();
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
