package io.syncguard.bench.redis.limit;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.redis.LuaFile;
import io.syncguard.bench.redis.Server;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The floor: the script of SyncGuard's counters through bare Lettuce on one connection. */
final class BareCounters implements Contestant {

  /** As long as SyncGuard's prefix, so that the keys are equally long. */
  private static final String PREFIX = "syncfloor:id:count:";

  private static final String MAX = Long.toString(LimitReport.PLENTY);
  private static final String WINDOW_MS = "3600000";

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final String digest;

  BareCounters(Server server) {
    this.client = RedisClient.create(server.uri());
    this.connection = client.connect(StringCodec.UTF8);
    this.digest = connection.sync().scriptLoad(LuaFile.ofStore("limit/increment.lua"));
  }

  @Override
  public void cycle(String key) throws InterruptedException, ExecutionException {
    String[] keys = {PREFIX + key};
    List<Object> answer =
        connection
            .async()
            .<List<Object>>evalsha(digest, ScriptOutputType.MULTI, keys, MAX, WINDOW_MS)
            .get();
    Contestant.require(!"0".equals(answer.get(0)), "the bare script");
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
