package io.syncguard.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisClusterTest {
  private static final String KEY = "{tag}:key";

  private static RedisCluster cluster;
  private int slot;
  private int from;
  private int to;

  @BeforeAll
  static void startCluster() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void closeCluster() {
    cluster.close();
  }

  @BeforeEach
  void locateKey() {
    IntStream.range(0, 3).forEach(shard -> cluster.master(shard).command("FLUSHALL"));
    slot = cluster.slot(KEY);
    from = cluster.shardOf(slot);
    to = (from + 1) % 3;
  }

  @Test
  void everyShardServesItsSlotsAndHasALinkedReplica() {
    assertThat(cluster.uris()).hasSize(6).doesNotHaveDuplicates();
    assertThat(cluster.master(from).command("SET", KEY, "value")).isEqualTo("OK");
    cluster.master(from).awaitReplicatedTo(cluster.replica(from));
    expectRedirect("MOVED", cluster.master(to), cluster.master(from));
    assertThat(cluster.replica(from)).isNotEqualTo(cluster.master(from));
  }

  @Test
  void aFailoverSwapsMasterAndReplicaAndKeepsTheKeys() {
    RedisServer old = cluster.master(from);
    old.command("SET", KEY, "value");
    RedisServer promoted = cluster.failover(from);
    assertThat(cluster.master(from)).isEqualTo(promoted).isNotEqualTo(old);
    assertThat(cluster.replica(from)).isEqualTo(old);
    assertThat(promoted.command("GET", KEY)).isEqualTo("value");
    expectRedirect("MOVED", old, promoted);
    assertThat(cluster.failover(from)).isEqualTo(old);
  }

  @Test
  void theReplicaOfAKilledMasterTakesOver() {
    RedisServer killed = cluster.master(from);
    killed.command("SET", KEY, "value");
    killed.awaitReplicatedTo(cluster.replica(from));
    RedisServer promoted = cluster.killMaster(from);
    assertThat(promoted.command("GET", KEY)).isEqualTo("value");
    killed.restart();
    awaitFollowing(killed, promoted);
  }

  @Test
  void aPausedMasterIsReplacedAndFollowsOnceResumed() {
    RedisServer paused = cluster.pauseMaster(from);
    RedisServer promoted = cluster.master(from);
    assertThat(promoted).isNotEqualTo(paused);
    paused.resume();
    awaitFollowing(paused, promoted);
  }

  @Test
  void aMovedSlotTakesItsKeysAlong() {
    for (int i = 0; i < 250; i++) {
      cluster.master(from).command("SET", KEY + i, "value" + i);
    }
    cluster.moveSlot(slot, from, to);
    assertThat(cluster.shardOf(slot)).isEqualTo(to);
    assertThat(cluster.master(to).command("GET", KEY + "249")).isEqualTo("value249");
    expectRedirect("MOVED", cluster.master(from), cluster.master(to));
    cluster.moveSlot(slot, to, from);
    assertThat(cluster.master(from).command("GET", KEY + "0")).isEqualTo("value0");
  }

  @Test
  void aSlotOnTheMoveRedirectsWithAskUntilItIsFinished() throws IOException {
    RedisServer source = cluster.master(from);
    RedisServer target = cluster.master(to);
    source.command("SET", KEY, "value");
    SlotMove move = cluster.beginSlotMove(slot, from, to);
    assertThat(source.command("GET", KEY)).isEqualTo("value");
    move.moveKeys();
    expectRedirect("ASK", source, target);
    expectRedirect("MOVED", target, source);
    try (RespConnection asking = RespConnection.open(target.port())) {
      asking.call("ASKING");
      assertThat(asking.call("GET", KEY)).isEqualTo("value");
    }
    move.finish();
    expectRedirect("MOVED", source, target);
    assertThat(target.command("GET", KEY)).isEqualTo("value");
  }

  private static void expectRedirect(String code, RedisServer asked, RedisServer owner) {
    assertThatExceptionOfType(RedisErrorException.class)
        .isThrownBy(() -> asked.command("GET", KEY))
        .withMessageStartingWith(code)
        .withMessageEndingWith(":" + owner.port());
  }

  private static void awaitFollowing(RedisServer former, RedisServer promoted) {
    Await.until(
        "the old master to follow", Duration.ofSeconds(20), () -> redirects(former, promoted));
  }

  private static boolean redirects(RedisServer asked, RedisServer owner) {
    try {
      asked.command("GET", KEY);
      return false;
    } catch (RedisErrorException e) {
      return e.code().equals("MOVED")
          && String.valueOf(e.getMessage()).endsWith(":" + owner.port())
          && asked.field("master_link_status", "INFO", "replication").equals("up");
    }
  }
}
