package io.syncguard.redis.check;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisFixture;
import io.syncguard.redis.RedisOptions.Fences;
import io.syncguard.redis.RedisStore;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Finding.Level;
import io.syncguard.spi.Store;
import io.syncguard.testkit.server.RedisServer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is found out about a server, fit and unfit. */
class RedisFindingsTest extends OnOneRedis {

  @BeforeEach
  void makeFit() {
    set("maxmemory-policy", "noeviction");
    set("appendonly", "yes");
  }

  private void set(String name, String value) {
    server.command("CONFIG", "SET", name, value);
  }

  private Finding finding(String subject) {
    return finding(subject, server.uri());
  }

  private static Finding finding(String subject, String uri) {
    try (Store store = RedisStore.connect(uri, RedisFixture.OPTIONS)) {
      return finding(subject, store);
    }
  }

  private static Finding finding(String subject, Store store) {
    return store.examine().stream()
        .filter(found -> found.subject().equals(subject))
        .findFirst()
        .orElseThrow(() -> new AssertionError("Nothing about " + subject));
  }

  private String uriOf(String user) {
    return "redis://" + user + ":pw@127.0.0.1:" + server.port();
  }

  @Test
  void onAServerThatIsFitAllIsWell() {
    try (Store store = RedisStore.connect(server.uri(), RedisFixture.OPTIONS)) {
      assertThat(store.examine())
          .allSatisfy(found -> assertThat(found.level()).isEqualTo(Level.OK))
          .allSatisfy(found -> assertThat(found.advice()).isEmpty())
          .extracting(Finding::subject)
          .containsExactly(
              "version", "eviction", "persistence", "replication", "queue", "messages", "waiting");
    }
    assertThat(finding("version").detail()).matches("Redis \\d.*, standalone");
  }

  @Test
  void aPolicyThatEvictsLocksIsAFailure() {
    set("maxmemory-policy", "allkeys-lru");
    Finding found = finding("eviction");
    assertThat(found.level()).isEqualTo(Level.FAILURE);
    assertThat(found.detail()).contains("allkeys-lru");
    assertThat(found.advice()).contains("noeviction");
  }

  @Test
  void withoutAnAppendOnlyFileItWarns() {
    set("appendonly", "no");
    Finding found = finding("persistence");
    assertThat(found.level()).isEqualTo(Level.WARNING);
    assertThat(found.advice()).contains("appendonly yes", "survive-data-loss");
  }

  @Test
  void fencesThatSurviveAreNotAdvisedAgain() {
    set("appendonly", "no");
    Store surviving = open(RedisFixture.OPTIONS.withFences(Fences.SURVIVE_DATA_LOSS));
    Finding found = finding("persistence", surviving);
    assertThat(found.level()).isEqualTo(Level.WARNING);
    assertThat(found.advice()).contains("appendonly yes").doesNotContain("survive-data-loss");
  }

  @Test
  void replicasAreWarnedOfUntilWritesNeedThem() throws Exception {
    try (RedisServer replica =
        RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(server.port()))) {
      eventually(() -> assertThat(finding("replication").level()).isEqualTo(Level.WARNING));
      assertThat(finding("replication").advice()).contains("min-replicas-to-write");
      Finding ofReplica = finding("replication", replica.uri());
      assertThat(ofReplica.level()).isEqualTo(Level.FAILURE);
      assertThat(ofReplica.advice()).contains("master");
      set("min-replicas-to-write", "1");
      assertThat(finding("replication").level()).isEqualTo(Level.OK);
    } finally {
      set("min-replicas-to-write", "0");
    }
    eventually(() -> assertThat(finding("replication").detail()).contains("without replicas"));
  }

  @Test
  void aUserWhoMayNotTrackIsWarned() {
    server.command(
        "ACL", "SETUSER", "untracked", "on", ">pw", "~*", "&*", "+@all", "-client|tracking");
    Finding found = finding("waiting", uriOf("untracked"));
    assertThat(found.level()).isEqualTo(Level.WARNING);
    assertThat(found.advice()).contains("+client|tracking");
  }

  @Test
  void aUserWhoMayNotQueueIsToldWhichRightsAreMissing() {
    for (String command : List.of("zadd", "zrem", "zrank", "zremrangebyrank", "exists")) {
      server.command(
          "ACL", "SETUSER", "rightless", "on", ">pw", "~*", "&*", "+@all", "-" + command);
      Finding found = finding("queue", uriOf("rightless"));
      assertThat(found.level()).isEqualTo(Level.FAILURE);
      assertThat(found.advice()).contains("+" + command + ",");
    }
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void aUserWhoIsNotToldOfGrantsIsWarned() {
    server.command("ACL", "SETUSER", "mute", "on", ">pw", "~*", "&*", "+@all", "-publish");
    server.command("ACL", "SETUSER", "deaf", "on", ">pw", "~*", "&*", "+@all", "-subscribe");
    server.command("ACL", "SETUSER", "apart", "on", ">pw", "~*", "resetchannels", "+@all");
    for (String user : List.of("mute", "deaf", "apart")) {
      Finding found = finding("messages", uriOf(user));
      assertThat(found.level()).isEqualTo(Level.WARNING);
      assertThat(found.advice()).contains("+publish +subscribe", "&syncguard:locked:*");
      assertThat(finding("queue", uriOf(user)).level()).isEqualTo(Level.OK);
    }
  }

  @Test
  void aClientThatSpeaksResp2IsWarned() {
    RedisClient client = RedisClient.create();
    client.setOptions(ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
    try (Store store =
        RedisStore.over(client, RedisURI.create(server.uri()), RedisFixture.OPTIONS)) {
      assertThat(finding("waiting", store).level()).isEqualTo(Level.WARNING);
    } finally {
      client.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  @Test
  void aUserWhoMayNotAskForInfoIsToldWhatIsUnknown() {
    server.command("ACL", "SETUSER", "uninformed", "on", ">pw", "~*", "&*", "+@all", "-info");
    Finding found = finding("rights", uriOf("uninformed"));
    assertThat(found.level()).isEqualTo(Level.WARNING);
    assertThat(found.advice()).contains("+info");
    assertThat(finding("waiting", uriOf("uninformed")).level()).isEqualTo(Level.OK);
  }

  @Test
  void aServerThatIsGoneIsAFailure() {
    try (RedisServer gone = RedisServer.start();
        Store store = RedisStore.connect(gone.uri(), RedisFixture.OPTIONS)) {
      gone.stop();
      assertThat(store.examine())
          .isNotEmpty()
          .allSatisfy(found -> assertThat(found.level()).isEqualTo(Level.FAILURE))
          .extracting(Finding::subject)
          .containsOnly("connection");
    }
  }

  @Test
  void aClosedStoreCannotBeExamined() {
    Store closed = RedisStore.connect(server.uri(), RedisFixture.OPTIONS);
    closed.close();
    assertFails(Code.SERVICE_UNAVAILABLE, closed::examine);
  }
}
