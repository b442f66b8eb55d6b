package io.syncguard.redis.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.connection.ClusterConnections;
import io.syncguard.redis.connection.Messages;
import io.syncguard.redis.connection.OwnClient;
import io.syncguard.redis.connection.RedisTls;
import io.syncguard.testkit.server.RedisCluster;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notices of grants on a cluster one node of which is left because it hangs. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeftMessagesTest {

  private static final String KEY = "k";

  @Test
  void noticesComeFromAnotherNodeThen() throws Exception {
    try (RedisCluster cluster = RedisCluster.start();
        OwnClient client = client(cluster)) {
      ClusterConnections connections =
          new ClusterConnections(client.cluster(), Duration.ofMillis(500));
      AtomicInteger back = new AtomicInteger();
      Messages notices = new Messages(connections, "channel", member -> {}, back::incrementAndGet);
      notices.start();
      eventually(() -> assertThat(back).hasValue(1));

      cluster.pauseMaster(cluster.shardOf(cluster.slot(KEY)));
      connections.doubt(connections.commands(), KEY);

      eventually(
          () -> {
            notices.start();
            assertThat(back).hasValue(2);
          });
      assertThat(notices.isOn()).isTrue();
      notices.close();
      connections.close();
    }
  }

  private static OwnClient client(RedisCluster cluster) {
    return OwnClient.of(
        cluster.uris().stream().map(RedisURI::create).toList(),
        true,
        RedisOptions.DEFAULT_COMMAND_TIMEOUT,
        RedisTls.OF_THE_JVM);
  }
}
