package io.syncguard.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class RedisSentinelTest {
  @Test
  void anOrderedFailoverPromotesTheReplicaAndTurnsTheMasterRound() {
    try (RedisSentinel setup = RedisSentinel.start(1)) {
      RedisServer old = setup.master();
      old.command("SET", "key", "value");
      RedisServer promoted = setup.failover();
      assertThat(promoted).isNotEqualTo(old);
      assertThat(setup.master()).isEqualTo(promoted);
      assertThat(setup.replicas()).containsExactly(old);
      assertThat(promoted.command("GET", "key")).isEqualTo("value");
      assertThat(setup.failover()).isEqualTo(old);
    }
  }

  @Test
  void aReplicaOfAKilledMasterTakesOverAndTheOthersFollow() {
    try (RedisSentinel setup = RedisSentinel.start(2)) {
      assertThat(setup.sentinelAddresses()).hasSize(3).doesNotHaveDuplicates();
      assertThat(setup.masterName()).isNotEmpty();
      RedisServer killed = setup.master();
      RedisServer promoted = setup.killMaster();
      assertThat(setup.replicas()).hasSize(2).contains(killed).doesNotContain(promoted);
      assertThat(promoted.command("SET", "key", "value")).isEqualTo("OK");
      killed.restart();
      Await.until(
          "the old master to follow",
          Duration.ofSeconds(20),
          () -> "value".equals(killed.command("GET", "key")));
      assertThat(setup.killMaster()).isNotEqualTo(promoted);
    }
  }

  @Test
  void aPausedMasterIsReplaced() {
    try (RedisSentinel setup = RedisSentinel.start(1)) {
      RedisServer paused = setup.master();
      paused.pause();
      RedisServer promoted = setup.master();
      assertThat(promoted).isNotEqualTo(paused);
      paused.resume();
      Await.until(
          "the old master to follow",
          Duration.ofSeconds(20),
          () -> paused.field("role", "INFO", "replication").equals("slave"));
    }
  }
}
